import type { Capability, Language, UserKind } from '@lectern/protocol'

export interface User {
  id: number
  login: string
  displayName: string
  kind: UserKind
  /** Null: nobody can sign in with a password. */
  passwordHash: string | null
  capabilities: Capability[]
  /** Of texts that the server writes to the user. Null: not chosen. */
  language: Language | null
  createdAt: number
  /** Unix seconds; null: not disabled. A disabled account cannot sign in. */
  disabledAt: number | null
  deletedAt: number | null
}

export type NewUser = Omit<User, 'id' | 'language' | 'disabledAt' | 'deletedAt'>

/** Disabling an account revokes its sessions in the same transaction. */
export type UserChanges = Partial<
  Pick<User, 'displayName' | 'capabilities' | 'language' | 'disabledAt' | 'deletedAt'>
>

export interface UserFilter {
  /** Part of the login or the name, in any case. */
  search?: string | undefined
  kind?: UserKind | undefined
  state?: 'active' | 'disabled' | 'deleted' | undefined
}

export interface PasswordChange {
  passwordHash: string
  at: number
  /** The sign-in that stays; all others end. */
  keptSessionId?: string
  /** The change happens only while this is the stored hash. */
  replacedHash?: string | null
}

export interface UserStore {
  /** Null when the login is taken, also by a deleted account. */
  add(user: NewUser): Promise<User | null>
  find(id: number): Promise<User | null>
  findByLogin(login: string): Promise<User | null>
  /** All accounts by id, including deleted ones. */
  list(): Promise<User[]>
  /** The newest first, older than the account `before`. */
  page(filter: UserFilter, page: { before?: number | undefined; limit: number }): Promise<User[]>
  /** Accounts with this capability by id, without deleted ones. */
  listByCapability(capability: Capability): Promise<User[]>
  /** Null when there is no such user. */
  update(id: number, changes: UserChanges): Promise<User | null>
  /**
   * Stores the password, ends the sign-ins and removes the invitation of the account, all or nothing. Null when there is
   * no such user, or its password is another one by now.
   */
  /** What `update` does for those that an earlier version has deleted. */
  anonymizeDeleted(): Promise<void>
  changePassword(id: number, change: PasswordChange): Promise<User | null>
}

/** A link that lets its holder set the password of an account, once. */
export interface Invitation {
  userId: number
  tokenHash: string
  createdAt: number
  expiresAt: number
}

export interface InvitationStore {
  /** Replaces the earlier invitation of the account. */
  save(invitation: Invitation): Promise<void>
  /** The invitation, expired or not, together with its user. */
  find(tokenHash: string): Promise<{ invitation: Invitation; user: User } | null>
  /**
   * Removes the invitation and changes the password, all or nothing. Null when the invitation is used, replaced, or
   * expired at the time of the change, or the account is deleted or disabled.
   */
  redeem(tokenHash: string, change: Pick<PasswordChange, 'passwordHash' | 'at'>): Promise<User | null>
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
  /** Families of the client, e.g. Firefox and Linux. Null: unknown. */
  browser: string | null
  platform: string | null
  createdAt: number
  /** When the tokens were issued or last refreshed. */
  usedAt: number
  expiresAt: number
  revokedAt: number | null
}

/** What a refresh stores. */
export interface NextGeneration {
  secretHash: string
  usedAt: number
  expiresAt: number
}

export interface AuthSessionStore {
  /** Removes the least recently used ones of the account beyond the newest 100. */
  add(session: AuthSession): Promise<void>
  /** The session together with its user, in one query. */
  find(id: string): Promise<{ session: AuthSession; user: User } | null>
  /** Advances the generation by one. False if the session is no longer at `from`, or is revoked. */
  advance(id: string, from: number, next: NextGeneration): Promise<boolean>
  revoke(id: string, at: number): Promise<void>
  /** Returns the number of revoked sessions. */
  revokeAllOf(userId: number, at: number, except?: string): Promise<number>
  /** The sessions of the user that are neither revoked nor expired, last used first. */
  listActive(userId: number, now: number, limit: number): Promise<AuthSession[]>
  countActive(userId: number, now: number): Promise<number>
  /** Whether a session of the user, ended or not, was opened from this network. */
  hasNetwork(userId: number, network: string): Promise<boolean>
  /**
   * Removes at most `limit` sessions that expired before the given time, and guests whose last session this was. Keeps
   * guests without a secretHash: their tokens do not identify them as guests. Returns the number of removed sessions.
   */
  sweep(before: number, limit: number): Promise<number>
}
