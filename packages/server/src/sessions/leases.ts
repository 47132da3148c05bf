import type { SessionLease, SessionOwner, StoredSession } from './ports.ts'

export interface LeasedSession {
  lease: SessionLease
  stored: StoredSession
}

export type AcquireResult = ({ is: 'acquired' } & LeasedSession) | { is: 'held' }

/**
 * Which server runs which session. A session is acquired when nobody holds it or its lease has run out; whoever
 * holds one renews it, and stops the session when it is lost.
 */
export interface SessionLeases {
  /** The owner of what this server acquires now; null while it acquires nothing. */
  readonly owner: string | null
  /** This server, as `findOwner` names it. */
  readonly serverId: string
  /** The open session of the conference, created if there is none. */
  acquire(tag: string, atMs: number): Promise<AcquireResult>
  /** Open sessions that nobody runs: those of dead servers, and those that were handed over. */
  acquireVacant(): Promise<LeasedSession[]>
  /** MUST be called about every second. Never throws. */
  renew(): Promise<void>
  /**
   * Whether this server may act for the session right now. `unsure`: it MUST NOT act before the lease is renewed; then it
   * is known whether the session is lost. Costs nothing.
   */
  check(lease: SessionLease): 'held' | 'unsure' | 'lost'
  /** This server does not run the session any more; if it is still open, another may acquire it. Never throws. */
  release(lease: SessionLease): Promise<void>
  /** Hands all sessions over. Nothing is acquired afterwards, until `resume`. */
  releaseAll(): Promise<void>
  /** Never throws. */
  resume(): Promise<void>
  /** The holder of the open session that this server does not run; null when there is none. */
  findOwner(session: { tag: string } | { sessionId: number }): Promise<SessionOwner | null>
  /** Which of these conferences have an open session that this server does not run. One query for all. */
  listOpen(tags: readonly string[]): Promise<string[]>
}
