import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ensure, Refusal } from '@lectern/protocol'
import { type Clock, unixSeconds } from '../clock.ts'
import type { Jwt } from './jwt.ts'
import type { Keys } from './keys.ts'
import type { AuthSession, AuthSessionStore, User } from './ports.ts'

const ACCESS_SECONDS = 15 * 60
const REFRESH_SECONDS = 90 * 24 * 3600

export interface Tokens {
  access_token: string
  refresh_token: string
  token_type: 'Bearer'
  expires_in: number
}

/**
 * Sign-ins. A refresh token is `<session>.<generation>.<mac>`: only the newest generation is good, an older
 * one shows that the token was copied and ends the sign-in (RFC 9700 §4.14.2). The store holds no token.
 */
export class Sessions {
  readonly #store: AuthSessionStore
  readonly #jwt: Jwt
  readonly #keys: Keys
  readonly #clock: Clock

  constructor(parts: { store: AuthSessionStore; jwt: Jwt; keys: Keys; clock: Clock }) {
    this.#store = parts.store
    this.#jwt = parts.jwt
    this.#keys = parts.keys
    this.#clock = parts.clock
  }

  /** Throws `not_configured` when nobody could be signed in, before anything is made for the person. */
  ensureConfigured(): void {
    this.#keys.derive('refresh token')
  }

  async open(user: User): Promise<Tokens> {
    const now = unixSeconds(this.#clock)
    const session: AuthSession = {
      id: randomBytes(16).toString('base64url'),
      userId: user.id,
      generation: 1,
      lastRequest: null,
      createdAt: now,
      expiresAt: now + REFRESH_SECONDS,
      revokedAt: null,
    }
    const tokens = await this.#tokens(session.id, user.id, 1)
    await this.#store.add(session)
    return tokens
  }

  /**
   * The next pair. A repeat with the same `request_id` gives the same refresh token again, because its first
   * answer may have been lost. Throws `session_ended` or `account_deleted`.
   */
  async refresh(refreshToken: string, requestId?: string): Promise<{ tokens: Tokens; user: User }> {
    const { id, generation } = this.#read(refreshToken)
    const { session, user } = await this.#goingOn(id)
    const now = unixSeconds(this.#clock)
    const request =
      requestId === undefined ? null : createHash('sha256').update(requestId).digest('base64url')

    const isRepeat = (of: AuthSession) =>
      request !== null && request === of.lastRequest && generation === of.generation - 1
    const advance = () => this.#store.advance(id, generation, request, now + REFRESH_SECONDS)
    // When another call moved the session on between our look and our step, it may have been our own repeat.
    const movedByRepeat = async () => {
      const again = await this.#store.find(id)
      return again !== null && again.session.revokedAt === null && isRepeat(again.session)
    }
    if (!isRepeat(session) && !(await advance()) && !(await movedByRepeat())) {
      await this.#store.revoke(id, now)
      ensureUsable(user, user.kind !== 'guest')
      throw new Refusal('session_ended', 'This refresh token was used before; sign in again.')
    }
    return { tokens: await this.#tokens(id, user.id, generation + 1), user }
  }

  /** Ends the sign-in; a token that is not valid any more ends nothing and is no error. */
  async close(refreshToken: string): Promise<void> {
    await this.#store.revoke(this.#read(refreshToken).id, unixSeconds(this.#clock))
  }

  /** Who sends this access token. */
  async authenticate(accessToken: string): Promise<User> {
    return (await this.identify(accessToken)).user
  }

  /** Who sends this access token, and by which sign-in. Looks at the store, so that a sign-out counts at once. */
  async identify(accessToken: string): Promise<{ user: User; sessionId: string }> {
    const { sid } = await this.#jwt.verify('lectern:user', accessToken)
    const sessionId = String(sid)
    const found = await this.#store.find(sessionId)
    ensure(found, 'unauthenticated')
    ensureUsable(found.user, found.session.revokedAt === null)
    return { user: found.user, sessionId }
  }

  /** For what outlives an access token. Throws `session_ended` or `account_deleted`. */
  async check(sessionId: string): Promise<void> {
    await this.#goingOn(sessionId)
  }

  async #goingOn(id: string): Promise<{ session: AuthSession; user: User }> {
    const found = await this.#store.find(id)
    ensure(found, 'session_ended')
    const { session, user } = found
    ensureUsable(user, session.revokedAt === null && session.expiresAt > unixSeconds(this.#clock))
    return found
  }

  async #tokens(id: string, userId: number, generation: number): Promise<Tokens> {
    const access = await this.#jwt.sign('lectern:user', { sub: String(userId), sid: id }, ACCESS_SECONDS)
    return {
      access_token: access,
      refresh_token: `${id}.${generation}.${this.#mac(id, generation).toString('base64url')}`,
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
    }
  }

  #read(token: string): { id: string; generation: number } {
    const match = /^([\w-]{22})\.([1-9]\d{0,8})\.([\w-]{43})$/.exec(token)
    ensure(match, 'session_ended')
    const [, id, generation, mac] = match as unknown as [string, string, string, string]
    const expected = this.#mac(id, Number(generation))
    ensure(timingSafeEqual(Buffer.from(mac, 'base64url'), expected), 'session_ended')
    return { id, generation: Number(generation) }
  }

  #mac(id: string, generation: number): Buffer {
    return createHmac('sha256', this.#keys.derive('refresh token')).update(`${id}.${generation}`).digest()
  }
}

/**
 * A guest cannot sign in again, so the end of the sign-in is the end of the account; and only that word lets a
 * page become another guest (contract §2.2 rule 5).
 */
function ensureUsable({ deletedAt, kind }: User, goesOn: boolean): void {
  ensure(deletedAt === null, 'account_deleted')
  ensure(goesOn, kind === 'guest' ? 'account_deleted' : 'session_ended')
}
