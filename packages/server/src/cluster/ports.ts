import type { SessionLease, SessionOwner, StoredSession } from '../sessions/ports.ts'

/** A registration of a server. `id` is new each time; `serverId` and `address` are how others reach it. */
export interface NewServerLease {
  id: string
  serverId: string
  address: string
}

/** Who holds a session that could not be acquired: the lease of a server. */
export interface Holder {
  leaseId: string
  serverId: string
}

/** The leases of servers, and which open session belongs to which. All times are of the database's clock. */
export interface LeaseStore {
  register(lease: NewServerLease, leaseMs: number): Promise<void>
  /**
   * The ids of the other servers that are registered; null when the lease is dead. Renews one that has run out, as long as
   * nobody has declared it dead.
   */
  renew(leaseId: string, leaseMs: number): Promise<string[] | null>
  /** Declares the lease dead if it has run out. True when it is dead now. */
  expire(leaseId: string): Promise<boolean>
  /** Declares all other leases dead that have run out: a server never ends its own. */
  expireOthers(leaseId: string): Promise<void>
  /**
   * The open session of the conference, created if there is none, for this lease: as another incarnation if nobody holds
   * it, or this lease does. Null and who holds it otherwise.
   */
  acquire(tag: string, atMs: number, leaseId: string): Promise<StoredSession | Holder>
  /** So many open sessions at most that nobody holds, each as another incarnation. No two callers get the same one. */
  acquireVacant(leaseId: string, limit: number): Promise<StoredSession[]>
  /** Gives the session up; changes nothing if it is not held. */
  release(lease: SessionLease): Promise<void>
  /** Gives up all sessions of the lease except these. */
  releaseExcept(leaseId: string, sessionIds: readonly number[]): Promise<void>
  /** Declares the own lease dead, and so gives up all its sessions. */
  unregister(leaseId: string): Promise<void>
  /** Deletes leases that died long ago and to which no open session belongs. */
  sweep(): Promise<void>
  /** Null when there is no such open session. */
  findOwner(session: { tag: string } | { sessionId: number }): Promise<SessionOwner | null>
  /** Which of these conferences have an open session on any server. */
  listOpen(tags: readonly string[]): Promise<string[]>
}
