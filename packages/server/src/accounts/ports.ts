import type { Capability, UserKind } from '@lectern/protocol'

export interface User {
  id: number
  login: string
  displayName: string
  kind: UserKind
  /** Null: nobody can sign in with a password. */
  passwordHash: string | null
  capabilities: Capability[]
  createdAt: number
  deletedAt: number | null
}

export type NewUser = Omit<User, 'id' | 'deletedAt'>

export type UserChanges = Partial<Pick<User, 'displayName' | 'passwordHash' | 'capabilities' | 'deletedAt'>>

export interface UserStore {
  /** Null when the login is taken, also by a deleted account. */
  add(user: NewUser): Promise<User | null>
  find(id: number): Promise<User | null>
  findByLogin(login: string): Promise<User | null>
  /** All accounts by id, including deleted ones. */
  list(): Promise<User[]>
  /** Accounts with this capability by id, without deleted ones. */
  listByCapability(capability: Capability): Promise<User[]>
  /** Null when there is no such user. */
  update(id: number, changes: UserChanges): Promise<User | null>
}

/** One sign-in: a chain of refresh tokens, of which only the newest generation is valid. */
export interface AuthSession {
  id: string
  userId: number
  generation: number
  /** Hash of the newest token's secret. Null until the first refresh of a session that predates this column. */
  secretHash: string | null
  /** Sessions without a secretHash only: hash of the request_id that created this generation. */
  lastRequest: string | null
  /** Hash of the client network of a password sign-in. */
  network: string | null
  createdAt: number
  expiresAt: number
  revokedAt: number | null
}

export interface AuthSessionStore {
  add(session: AuthSession): Promise<void>
  /** The session together with its user, in one query. */
  find(id: string): Promise<{ session: AuthSession; user: User } | null>
  /** Advances the generation by one. False if the session is no longer at `from`, or is revoked. */
  advance(id: string, from: number, secretHash: string, expiresAt: number): Promise<boolean>
  revoke(id: string, at: number): Promise<void>
  revokeAllOf(userId: number, at: number): Promise<void>
  /** Whether a session of the user, ended or not, was opened from this network. */
  hasNetwork(userId: number, network: string): Promise<boolean>
  /**
   * Removes at most `limit` sessions that expired before the given time, and guests whose last session this was. Keeps
   * guests without a secretHash: their tokens do not identify them as guests. Returns the number of removed sessions.
   */
  sweep(before: number, limit: number): Promise<number>
}
