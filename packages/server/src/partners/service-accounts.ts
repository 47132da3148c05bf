import { createHmac } from 'node:crypto'
import { ensure, Refusal, SCOPES, SERVICE_TOKEN_SECONDS, type TokenResponse } from '@lectern/protocol'
import type { JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Accounts } from '../accounts/accounts.ts'
import { isActive } from '../accounts/eligible.ts'
import type { Jwt } from '../accounts/jwt.ts'
import type { Keys, SecretKeys } from '../accounts/keys.ts'
import { type Clock, unixSeconds } from '../platform/clock.ts'
import { equalSecrets } from '../platform/constant-time.ts'
import type { ServiceAccount } from './ports.ts'
import type { ServiceAccountStore } from './stores/service-accounts.ts'

/** An authenticated service account, with the scopes of its token. */
export interface Caller {
  name: string
  clientId: number
  scopes: string[]
  /** The person who acts for the account with their own sign-in. Absent: its backend. */
  owner?: { userId: number; login: string; address: string }
}

/**
 * Partners poll with the same token many times a second. A change of the account takes effect within this time.
 */
const CACHE_TTL_MS = 100

/** `hmac-sha256:<base64url(HMAC-SHA256(JwtSecret, client_secret))>` (docs/install.md#partners). */
export const hashSecret = (keys: Pick<SecretKeys, 'secret'>, clientSecret: string): string =>
  `hmac-sha256:${createHmac('sha256', keys.secret).update(clientSecret).digest('base64url')}`

/** A name may be given again after an account was removed, so tokens also name when their account was created. */
export const tokenClaims = ({ name, clientId, scopes, createdAt }: ServiceAccount): JWTPayload => ({
  sub: name,
  client_id: clientId,
  account_created_at: createdAt,
  scopes,
})

/** Tokens of earlier versions name no creation: their account is older than they are. */
function isTokenOf({ clientId, createdAt }: ServiceAccount, claims: JWTPayload): boolean {
  const { client_id: owner, account_created_at: created, iat = 0 } = claims
  return owner === clientId && (created === undefined ? iat >= createdAt : created === createdAt)
}

/** Token issue and token check for partner backends (docs/partner-api.md#authentication). */
export class ServiceAccounts {
  readonly #store: ServiceAccountStore
  readonly #accounts: Accounts
  readonly #jwt: Jwt
  readonly #keys: Keys
  readonly #clock: Clock
  readonly #cache = new LRUCache<string, Caller>({
    max: 1000,
    ttl: CACHE_TTL_MS,
    ttlResolution: 20, // the default sets a timer every millisecond
  })

  constructor(parts: { store: ServiceAccountStore; accounts: Accounts; jwt: Jwt; keys: Keys; clock: Clock }) {
    this.#store = parts.store
    this.#accounts = parts.accounts
    this.#jwt = parts.jwt
    this.#keys = parts.keys
    this.#clock = parts.clock
  }

  /** Throws `invalid_credentials`, without revealing which of the two was wrong. */
  async issueToken(name: string, clientSecret: string): Promise<TokenResponse> {
    ensure(this.#keys.configured, 'not_configured', 'The server has no JwtSecret, so it issues no tokens.')
    const account = await this.#store.find(name)
    const matches =
      this.#secretMatches(account?.secretHash ?? '', clientSecret) ||
      this.#previousMatches(account, clientSecret)
    const usable = account !== null && matches && (await this.#isUsable(account))
    ensure(usable, 'invalid_credentials', 'The service account or its secret is wrong.')
    if (this.#secretMatches(account.secretHash, clientSecret)) await this.#rehash(account, clientSecret)
    const scopes = account.scopes.filter(scope => (SCOPES as readonly string[]).includes(scope))
    const claims = tokenClaims({ ...account, scopes })
    return {
      result: 200,
      access_token: await this.#jwt.sign('lectern:service', claims, SERVICE_TOKEN_SECONDS),
      token_type: 'Bearer',
      expires_in: SERVICE_TOKEN_SECONDS,
      refresh_token: null,
    }
  }

  /** Scopes come from the token; whether the account is enabled is checked each time (rule TOKEN-4). */
  authenticate(token: string): Caller | Promise<Caller> {
    return this.#cache.get(token) ?? this.#verify(token)
  }

  async #verify(token: string): Promise<Caller> {
    const claims = await this.#jwt.verify('lectern:service', token)
    const account = await this.#store.find(String(claims.sub))
    if (!account || !isTokenOf(account, claims) || !(await this.#isUsable(account)))
      throw new Refusal('unauthenticated', 'This service account is not active.')
    const scopes = Array.isArray(claims.scopes) ? claims.scopes.map(String) : []
    const caller = { name: account.name, clientId: account.clientId, scopes }
    this.#cache.set(token, caller)
    return caller
  }

  /** Whether the technical user has an active account. */
  async hasUsable(clientId: number): Promise<boolean> {
    const accounts = await this.#store.list()
    const enabled = accounts.find(each => each.clientId === clientId && each.enabled)
    return enabled !== undefined && this.#isUsable(enabled)
  }

  async #isUsable(account: ServiceAccount): Promise<boolean> {
    return account.enabled && isActive(await this.#accounts.find(account.clientId))
  }

  /** While a secret is being replaced, both are accepted. */
  #previousMatches(account: ServiceAccount | null, clientSecret: string): boolean {
    const { previous } = account ?? {}
    const isValid = previous !== undefined && previous.expiresAt > unixSeconds(this.#clock)
    return isValid && this.#secretMatches(previous.secretHash, clientSecret)
  }

  #secretMatches(secretHash: string, clientSecret: string): boolean {
    const plain = /^plain:(.+)$/s.exec(secretHash)?.[1]
    const stored = withoutPadding(plain === undefined ? secretHash : hashSecret(this.#keys, plain))
    return this.#keys.accepted.some(keys => equalSecrets(stored, hashSecret(keys, clientSecret)))
  }

  /** A secret that was hashed with another JwtSecret stays valid when that one is no longer accepted (rule ROTATE-3). */
  async #rehash({ name, secretHash }: ServiceAccount, clientSecret: string): Promise<void> {
    const present = hashSecret(this.#keys, clientSecret)
    if (secretHash.startsWith('plain:') || equalSecrets(withoutPadding(secretHash), present)) return
    await this.#store.replaceHash(name, secretHash, present)
  }
}

/** Padding is optional in base64url; operators may have written the row manually. */
const withoutPadding = (hash: string) => hash.replace(/=+$/, '')
