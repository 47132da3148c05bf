import { ensure, Refusal } from '@lectern/protocol'
import { decodeJwt, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../platform/clock.ts'
import type { Keys, SecretKeys } from './keys.ts'

/** The audience of a token. A token is valid for its own audience only. */
export type Audience =
  | 'lectern:user'
  | 'lectern:service'
  | 'lectern:operator'
  | 'lectern:file'
  | 'lectern:sso'

const ISSUER = 'lectern'
const MAX_TOKEN_LENGTH = 4096
const VERIFIED_TOKENS_MAX = 2000

interface VerifiedToken {
  claims: JWTPayload
  /** The keys with which the token is signed; it is valid only while they are accepted. */
  keys: SecretKeys
}

/** Signs and verifies access tokens (HS256, RFC 7519). */
export class Jwt {
  readonly #keys: Keys
  readonly #clock: Clock
  // Verifying a signature costs more than the rest of a small request, and clients send the same token for minutes or days.
  readonly #verified = new LRUCache<string, VerifiedToken>({ max: VERIFIED_TOKENS_MAX })

  constructor(keys: Keys, clock: Clock) {
    this.#keys = keys
    this.#clock = clock
  }

  sign(audience: Audience, claims: JWTPayload, seconds: number): Promise<string> {
    const now = Math.floor(this.#clock() / 1000)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(this.#keys.secret)
  }

  /** The audience that a token claims; not verified. */
  claimedAudience(token: string): unknown {
    const verified = this.#verified.get(token)
    if (verified) return verified.claims.aud
    try {
      return decodeJwt(token).aud
    } catch {
      return undefined
    }
  }

  /** Returns the claims. Throws `unauthenticated` or `token_expired`. */
  async verify(audience: Audience, token: string): Promise<JWTPayload> {
    ensure(token.length <= MAX_TOKEN_LENGTH, 'unauthenticated')
    const known = this.#verified.get(token)
    const isVerified = known?.claims.aud === audience
    const verified = isVerified ? known : await this.#verifySignature(audience, token)
    if (!isVerified) this.#verified.set(token, verified)
    const { claims, keys } = verified
    ensure(this.#keys.accepted.includes(keys), 'unauthenticated')
    ensure((claims.exp ?? 0) * 1000 > this.#clock(), 'token_expired')
    return claims
  }

  async #verifySignature(audience: Audience, token: string): Promise<VerifiedToken> {
    for (const keys of this.#keys.accepted) {
      const claims = await this.#verifyWith(keys, audience, token)
      if (claims) return { claims, keys }
    }
    throw new Refusal('unauthenticated')
  }

  /** Null if the token is not signed with these keys. */
  async #verifyWith(keys: SecretKeys, audience: Audience, token: string): Promise<JWTPayload | null> {
    try {
      const { payload } = await jwtVerify(token, keys.secret, {
        issuer: ISSUER,
        audience,
        algorithms: ['HS256'],
        requiredClaims: ['exp'],
        currentDate: new Date(this.#clock()),
      })
      return payload
    } catch (cause) {
      if (cause instanceof Refusal) throw cause
      if (cause instanceof errors.JWSSignatureVerificationFailed) return null
      throw new Refusal(cause instanceof errors.JWTExpired ? 'token_expired' : 'unauthenticated', undefined, {
        cause,
      })
    }
  }
}
