import type { Capability, Language, UserKind } from '@lectern/protocol'

export interface User {
  id: number
  login: string
  displayName: string
  kind: UserKind
  /** Null: nobody can sign in with a password. */
  passwordHash: string | null
  capabilities: Capability[]
  /** The language of texts that the server writes to the user. Null: not chosen. */
  language: Language | null
  /** The address for mails to the person; null: unknown. */
  email: string | null
  /** Whether the person gets a mail for each missed call. */
  missedCallMails: boolean
  createdAt: number
  /** Unix seconds; null: not disabled. A disabled account cannot sign in. */
  disabledAt: number | null
  deletedAt: number | null
}

export type NewUser = Omit<
  User,
  'id' | 'language' | 'email' | 'missedCallMails' | 'disabledAt' | 'deletedAt'
> & {
  email?: string | null | undefined
}

/** Disabling an account revokes its sessions in the same transaction. */
export type UserChanges = Partial<
  Pick<
    User,
    'displayName' | 'capabilities' | 'language' | 'email' | 'missedCallMails' | 'disabledAt' | 'deletedAt'
  >
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

/** A link that lets its holder set the password of an account, once. */
export interface Invitation {
  userId: number
  tokenHash: string
  createdAt: number
  expiresAt: number
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

/** The result of a refresh, as it is stored. */
export interface NextGeneration {
  secretHash: string
  usedAt: number
  expiresAt: number
}
