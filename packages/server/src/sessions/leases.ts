import type { SessionStore, StoredSession } from './ports.ts'

/** A server process of this installation. */
export type ServerId = string

/** The right of one server to run one session. Each acquisition of a session is another incarnation. */
export interface SessionLease {
  readonly sessionId: number
  readonly incarnation: number
  readonly owner: ServerId
}

export interface LeasedSession {
  lease: SessionLease
  stored: StoredSession
}

export type AcquireResult = ({ is: 'acquired' } & LeasedSession) | { is: 'held'; owner: ServerId }

/**
 * Which server runs which session. A session is acquired when nobody holds it or its lease has run out; whoever
 * holds one renews it, and stops the session when the renewal fails.
 */
export interface SessionLeases {
  /** The open session of the conference, created if there is none. */
  acquire(tag: string, atMs: number): Promise<AcquireResult>
  /** Every open session whose lease has run out. */
  acquireExpired(): Promise<LeasedSession[]>
  /** Gives the leases that are lost. */
  renew(leases: readonly SessionLease[]): Promise<readonly SessionLease[]>
  /** The session has ended, or another server may take it over. */
  release(lease: SessionLease): Promise<void>
  /** The server that holds the open session of the conference; null when no server does. */
  findOwner(session: { tag: string } | { sessionId: number }): Promise<ServerId | null>
}

/** The leases of an installation with one server: they never run out, and nobody else holds one. */
export class LocalLeases implements SessionLeases {
  readonly #store: Pick<SessionStore, 'findOrOpen' | 'resumeOpen'>
  readonly #owner: ServerId

  constructor(store: Pick<SessionStore, 'findOrOpen' | 'resumeOpen'>, owner: ServerId = 'local') {
    this.#store = store
    this.#owner = owner
  }

  async acquire(tag: string, atMs: number): Promise<AcquireResult> {
    return { is: 'acquired', ...this.#leased(await this.#store.findOrOpen(tag, atMs)) }
  }

  async acquireExpired(): Promise<LeasedSession[]> {
    return (await this.#store.resumeOpen()).map(stored => this.#leased(stored))
  }

  async renew(): Promise<readonly SessionLease[]> {
    return []
  }

  async release(): Promise<void> {}

  async findOwner(): Promise<ServerId | null> {
    return null
  }

  #leased(stored: StoredSession): LeasedSession {
    const { sessionId, incarnation } = stored
    return { lease: { sessionId, incarnation, owner: this.#owner }, stored }
  }
}
