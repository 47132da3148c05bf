import { createHmac } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { ensure, Refusal } from '@lectern/protocol'
import { type Clock, unixSeconds } from '../platform/clock.ts'
import { equalSecrets } from '../platform/constant-time.ts'
import type { Jwt } from './jwt.ts'
import type { Keys } from './keys.ts'
import type { AuthSession, User } from './ports.ts'
import {
  formatRefreshToken,
  hashSecret,
  isGuestId,
  LegacyRefreshTokens,
  newHandle,
  newSecret,
  nextSecret,
  parseRefreshToken,
  type RefreshToken,
  sessionIdOf,
} from './refresh-tokens.ts'
import type { AuthSessionStore } from './stores/auth-sessions.ts'
import { clientFamilies } from './user-agent.ts'

const ACCESS_SECONDS = 15 * 60
const DAY_SECONDS = 24 * 3600
const EXPIRY_DAYS = 90
/**
 * A sweep removes sessions in batches, and yields to other work between them. All together are more than the guests that two
 * dozen addresses make in the hour between sweeps.
 */
const SWEEP_BATCH = 500
const SWEEP_BATCHES = 200
const NETWORK_KEY = 'sign-in network'

/** The client that signs in, as far as it is known. */
export interface SignInClient {
  /** Becomes a known network of the user; for sign-ins that have proven more than the possession of a link. */
  network?: string
  /** The header User-Agent, of which only the families of browser and platform are stored. */
  userAgent?: string | undefined
}

export interface Tokens {
  access_token: string
  refresh_token: string
  token_type: 'Bearer'
  expires_in: number
}

/**
 * Sign-ins. A refresh token is `<handle>.<generation>.<secret>`. Only the newest generation is valid; use of an older one
 * is treated as theft and revokes the sign-in (RFC 9700 §4.14.2). The store contains hashes only, and no refresh token
 * depends on JwtSecret (decision 25).
 */
export class AuthSessions {
  readonly #store: AuthSessionStore
  readonly #jwt: Jwt
  readonly #keys: Keys
  readonly #legacy: LegacyRefreshTokens
  readonly #clock: Clock
  readonly #guestSeconds: number

  constructor(parts: {
    store: AuthSessionStore
    jwt: Jwt
    keys: Keys
    clock: Clock
    guestExpiryDays: number
  }) {
    this.#store = parts.store
    this.#jwt = parts.jwt
    this.#keys = parts.keys
    this.#legacy = new LegacyRefreshTokens(parts.keys)
    this.#clock = parts.clock
    this.#guestSeconds = parts.guestExpiryDays * DAY_SECONDS
  }

  /** Throws `not_configured` if sign-ins are impossible. Call it before an account is created. */
  ensureConfigured(): void {
    void this.#keys.secret
  }

  /**
   * Throws `temporarily_unavailable` if the account was deleted, disabled or given another password since `user` was
   * authenticated: whoever tries again gets the answer that is true now.
   */
  async open(user: User, client: SignInClient = {}): Promise<Tokens> {
    this.ensureConfigured()
    const now = unixSeconds(this.#clock)
    const token = { handle: newHandle(user.kind === 'guest'), generation: 1, secret: newSecret() }
    const session: AuthSession = {
      id: sessionIdOf(token.handle),
      userId: user.id,
      generation: token.generation,
      secretHash: hashSecret(token.secret),
      lastRequest: null,
      network:
        client.network === undefined
          ? null
          : networkHash(this.#keys.derive(NETWORK_KEY), user.id, client.network),
      ...clientFamilies(client.userAgent ?? ''),
      createdAt: now,
      usedAt: now,
      expiresAt: now + this.#lifetime(user),
      revokedAt: null,
    }
    const isOpened = await this.#store.add(session, user.passwordHash)
    ensure(isOpened, 'temporarily_unavailable', 'The account is being changed; try again.')
    return this.#tokens(token, user.id)
  }

  /**
   * Rotates the tokens. A retry with the same `request_id` returns the same refresh token, because the first response may
   * have been lost. Throws `session_ended` or `account_deleted`.
   */
  async refresh(refreshToken: string, requestId?: string): Promise<{ tokens: Tokens; user: User }> {
    const token = parseRefreshToken(refreshToken)
    ensure(token, 'session_ended')
    const id = sessionIdOf(token.handle)
    const { session, user } = await this.#findActive(id)
    const next = { ...token, generation: token.generation + 1, secret: nextSecret(token.secret, requestId) }
    const usedAt = unixSeconds(this.#clock)
    const stored = { secretHash: hashSecret(next.secret), usedAt, expiresAt: usedAt + this.#lifetime(user) }
    const advance = () => this.#store.advance(id, token.generation, stored)
    if (this.#isCurrent(session, token) && (await advance()))
      return { tokens: await this.#tokens(next, user.id), user }

    // A concurrent call may have advanced the session since it was read, for example a retry of this request.
    const latest = (await this.#store.find(id))?.session ?? session
    const retried = this.#retryOf(latest, token, next, requestId)
    if (retried) return { tokens: await this.#tokens(retried, user.id), user }

    if (this.#isSuperseded(latest, token)) await this.#store.revoke(id, unixSeconds(this.#clock))
    ensureUsable(user, user.kind !== 'guest')
    throw new Refusal('session_ended', 'This refresh token was used before; sign in again.')
  }

  /** Revokes the sign-in. A token that is no longer valid has no effect and is not an error. */
  async close(refreshToken: string): Promise<void> {
    const token = parseRefreshToken(refreshToken)
    ensure(token, 'session_ended')
    const id = sessionIdOf(token.handle)
    const found = await this.#store.find(id)
    if (found && (this.#isCurrent(found.session, token) || this.#isSuperseded(found.session, token)))
      await this.#store.revoke(id, unixSeconds(this.#clock))
  }

  /** Returns the user of this access token. */
  async authenticate(accessToken: string): Promise<User> {
    return (await this.identify(accessToken)).user
  }

  /** Returns the user and the sign-in of this access token. Reads the store, so that a sign-out takes effect at once. */
  async identify(accessToken: string): Promise<{ user: User; sessionId: string }> {
    const { sid } = await this.#jwt.verify('lectern:user', accessToken)
    const sessionId = String(sid)
    const found = await this.#store.find(sessionId)
    ensure(found, isGuestId(sessionId) ? 'account_deleted' : 'unauthenticated')
    ensureUsable(found.user, found.session.revokedAt === null)
    return { user: found.user, sessionId }
  }

  /** For connections that outlive an access token. Throws `session_ended` or `account_deleted`. */
  async check(sessionId: string): Promise<User> {
    return (await this.#findActive(sessionId)).user
  }

  /** Whether a stored session of the user was opened from this network. Takes the same time for an unknown user. */
  async isKnownNetwork(user: User | null, network: string): Promise<boolean> {
    const id = user?.id ?? 0
    const hashes = this.#keys.deriveAccepted(NETWORK_KEY).map(key => networkHash(key, id, network))
    const known = await Promise.all(hashes.map(hash => this.#store.hasNetwork(id, hash)))
    return known.includes(true)
  }

  /** Removes expired sessions, and guests together with their last session. */
  async sweep(): Promise<void> {
    for (let batch = 0; batch < SWEEP_BATCHES; batch++) {
      const removed = await this.#store.sweep(unixSeconds(this.#clock), SWEEP_BATCH)
      if (removed < SWEEP_BATCH) return
      await yieldToEventLoop()
    }
  }

  async #findActive(id: string): Promise<{ session: AuthSession; user: User }> {
    const found = await this.#store.find(id)
    ensure(found, isGuestId(id) ? 'account_deleted' : 'session_ended')
    const { session, user } = found
    ensureUsable(user, session.revokedAt === null && session.expiresAt > unixSeconds(this.#clock))
    return found
  }

  #lifetime({ kind }: User): number {
    return kind === 'guest' ? this.#guestSeconds : EXPIRY_DAYS * DAY_SECONDS
  }

  #isCurrent({ generation, secretHash }: AuthSession, token: RefreshToken): boolean {
    if (token.generation !== generation) return false
    return secretHash === null
      ? this.#legacy.isAuthentic(token)
      : equalSecrets(hashSecret(token.secret), secretHash)
  }

  /** The token that this request got before; null if it is not a retry. */
  #retryOf(session: AuthSession, token: RefreshToken, next: RefreshToken, requestId?: string) {
    const { generation, secretHash, lastRequest, revokedAt } = session
    if (requestId === undefined || revokedAt !== null || next.generation !== generation) return null
    if (secretHash !== null) return equalSecrets(hashSecret(next.secret), secretHash) ? next : null
    const secret = lastRequest === hashSecret(requestId) ? this.#legacy.secretAt(generation, token) : null
    return secret === null ? null : { ...next, secret }
  }

  /** Only a holder of a token of this session knows the handle. */
  #isSuperseded({ generation, secretHash }: AuthSession, token: RefreshToken): boolean {
    return token.generation < generation && (secretHash !== null || this.#legacy.isAuthentic(token))
  }

  async #tokens(token: RefreshToken, userId: number): Promise<Tokens> {
    const claims = { sub: String(userId), sid: sessionIdOf(token.handle) }
    return {
      access_token: await this.#jwt.sign('lectern:user', claims, ACCESS_SECONDS),
      refresh_token: formatRefreshToken(token),
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
    }
  }
}

/**
 * A guest cannot sign in again, so the end of the sign-in ends the account. Clients create another guest only after
 * `account_deleted` (rule PERSON-4).
 */
function ensureUsable({ deletedAt, disabledAt, kind }: User, isActive: boolean): void {
  ensure(deletedAt === null, 'account_deleted')
  ensure(isActive && disabledAt === null, kind === 'guest' ? 'account_deleted' : 'session_ended')
}

/** Addresses are personal data; hashes suffice to compare them. */
const networkHash = (key: Buffer, userId: number, network: string): string =>
  createHmac('sha256', key).update(`${userId} ${network}`).digest('base64url')
