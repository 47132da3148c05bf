import { createHash, createHmac, randomBytes } from 'node:crypto'
import { equalSecrets } from '../constant-time.ts'
import type { Keys } from './keys.ts'

/** A refresh token, read: nothing of it is verified. */
export interface RefreshToken {
  /** Known to the owners of refresh tokens only; the session's id is made from it. */
  handle: string
  generation: number
  secret: string
}

const FORMAT = /^((?:[gu]-)?[\w-]{22})\.([1-9]\d{0,8})\.([\w-]{43})$/

export function parseRefreshToken(token: string): RefreshToken | null {
  const match = FORMAT.exec(token)
  if (!match) return null
  const [, handle, generation, secret] = match as unknown as [string, string, string, string]
  return { handle, generation: Number(generation), secret }
}

export const formatRefreshToken = ({ handle, generation, secret }: RefreshToken): string =>
  `${handle}.${generation}.${secret}`

/** The prefix outlives the account: it tells a guest who was removed from anybody else. */
export const newHandle = (isGuest: boolean): string =>
  `${isGuest ? 'g' : 'u'}-${randomBytes(16).toString('base64url')}`

const hasPrefix = (id: string) => /^[gu]-/.test(id)

/** Of a session's id or a handle. */
export const isOfGuest = (id: string): boolean => id.startsWith('g-')

/**
 * Access tokens carry the session's id, so it must not tell the handle. Sessions from before handles existed have one
 * and the same.
 */
export const sessionIdOf = (handle: string): string =>
  hasPrefix(handle) ? `${handle.slice(0, 2)}${sha256(handle).slice(0, 22)}` : handle

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The secret after this one. With a request id it is a function of both, so that a repeat gets the same answer. */
export const nextSecret = (secret: string, requestId: string | undefined): string =>
  requestId === undefined ? newSecret() : hmac(secret, requestId)

/** What the store holds. A plain hash does: 256 random bits cannot be guessed. */
export const hashSecret = (secret: string): string => sha256(secret)

/**
 * Tokens as they were before each session had a secret of its own: keyed by JwtSecret. They are accepted until their
 * session is refreshed for the first time.
 */
export class LegacyRefreshTokens {
  readonly #keys: Keys

  constructor(keys: Keys) {
    this.#keys = keys
  }

  secretOf(id: string, generation: number): string {
    return hmac(this.#keys.derive('refresh token'), `${id}.${generation}`)
  }

  isAuthentic({ handle, generation, secret }: RefreshToken): boolean {
    return equalSecrets(secret, this.secretOf(handle, generation))
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest('base64url')
