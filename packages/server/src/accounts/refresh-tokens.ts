import { createHash, createHmac, randomBytes } from 'node:crypto'
import { equalSecrets } from '../platform/constant-time.ts'
import type { Keys, SecretKeys } from './keys.ts'

/** A parsed refresh token; nothing is verified. */
export interface RefreshToken {
  /** Known only to holders of refresh tokens. The id of the session is derived from it. */
  handle: string
  generation: number
  secret: string
}

const FORMAT = /^((?:[gu]-)?[\w-]{22})\.([1-9]\d{0,8})\.([\w-]{43})$/

/** Null for a malformed token; whether it is valid is not checked. */
export function parseRefreshToken(token: string): RefreshToken | null {
  const match = FORMAT.exec(token)
  if (!match) return null
  const [, handle, generation, secret] = match as unknown as [string, string, string, string]
  return { handle, generation: Number(generation), secret }
}

export const formatRefreshToken = ({ handle, generation, secret }: RefreshToken): string =>
  `${handle}.${generation}.${secret}`

/** The prefix identifies a guest even after the account is removed. */
export const newHandle = (isGuest: boolean): string =>
  `${isGuest ? 'g' : 'u'}-${randomBytes(16).toString('base64url')}`

const hasPrefix = (id: string) => /^[gu]-/.test(id)

/** Accepts a session id or a handle. */
export const isGuestId = (id: string): boolean => id.startsWith('g-')

/**
 * Access tokens contain the id of the session, so it MUST NOT reveal the handle. Sessions that predate handles use the
 * same value for both.
 */
export const sessionIdOf = (handle: string): string =>
  hasPrefix(handle) ? `${handle.slice(0, 2)}${sha256(handle).slice(0, 22)}` : handle

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The next secret. With a request id it is derived from both, so that a retry gets the same token. */
export const nextSecret = (secret: string, requestId: string | undefined): string =>
  requestId === undefined ? newSecret() : hmac(secret, requestId)

/** The stored form. An unsalted hash is sufficient for 256 random bits. */
export const hashSecret = (secret: string): string => sha256(secret)

/**
 * Tokens that predate secrets for each session: they are keyed by JwtSecret, and accepted until the session is first
 * refreshed.
 */
export class LegacyRefreshTokens {
  readonly #keys: Keys

  constructor(keys: Keys) {
    this.#keys = keys
  }

  isAuthentic(token: RefreshToken): boolean {
    return this.#keysOf(token) !== undefined
  }

  /** The secret of another generation of an authentic token; null for others. */
  secretAt(generation: number, token: RefreshToken): string | null {
    const keys = this.#keysOf(token)
    return keys ? secretOf(keys, token.handle, generation) : null
  }

  #keysOf({ handle, generation, secret }: RefreshToken): SecretKeys | undefined {
    return this.#keys.accepted.find(keys => equalSecrets(secret, secretOf(keys, handle, generation)))
  }
}

const secretOf = (keys: SecretKeys, handle: string, generation: number) =>
  hmac(keys.derive('refresh token'), `${handle}.${generation}`)
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest('base64url')
