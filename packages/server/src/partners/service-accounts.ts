import { ensure, Refusal, SCOPES, SERVICE_TOKEN_SECONDS, type TokenResponse } from '@lectern/protocol'
import type { JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Accounts } from '../accounts/accounts.ts'
import { isActive } from '../accounts/eligible.ts'
import type { Jwt } from '../accounts/jwt.ts'
import type { Keys } from '../accounts/keys.ts'
import type { ServiceCaller } from '../hooks.ts'
import type { Clock } from '../platform/clock.ts'
import type { ServiceAccount } from './ports.ts'
import { isIssuedWith, rehashSecret, secretId, secretMatches, validSecrets } from './secret-hash.ts'
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

/**
 * A name may be given again after an account was removed, so tokens also name when their account was created. They end with the
 * secret that they were issued with, of which `secret` is the id.
 */
export const tokenClaims = (
  { name, clientId, scopes, createdAt }: ServiceAccount,
  secret: string,
): JWTPayload => ({
  sub: name,
  client_id: clientId,
  account_created_at: createdAt,
  secret_id: secret,
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
  readonly #cache = new LRUCache<string, Caller & ServiceCaller>({
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
    const secrets = account === null ? [''] : validSecrets(account, this.#clock)
    const secret = secrets.find(stored => secretMatches(this.#keys, stored, clientSecret))
    const usable = account !== null && secret !== undefined && (await this.#isUsable(account))
    ensure(usable, 'invalid_credentials', 'The service account or its secret is wrong.')
    await this.#rehash(account, secret, clientSecret)
    const scopes = account.scopes.filter(scope => (SCOPES as readonly string[]).includes(scope))
    const claims = tokenClaims({ ...account, scopes }, secretId(this.#keys, secret))
    return {
      result: 200,
      access_token: await this.#jwt.sign('lectern:service', claims, SERVICE_TOKEN_SECONDS),
      token_type: 'Bearer',
      expires_in: SERVICE_TOKEN_SECONDS,
      refresh_token: null,
    }
  }

  /** Scopes come from the token; whether the account is enabled and has the secret is checked each time (rules TOKEN-4, TOKEN-7). */
  authenticate(token: string): (Caller & ServiceCaller) | Promise<Caller & ServiceCaller> {
    return this.#cache.get(token) ?? this.#verify(token)
  }

  async #verify(token: string): Promise<Caller & ServiceCaller> {
    const claims = await this.#jwt.verify('lectern:service', token)
    const account = await this.#issuerOf(claims)
    if (!account) throw new Refusal('unauthenticated', 'This service account is not active.')
    const scopes = Array.isArray(claims.scopes) ? claims.scopes.map(String) : []
    const isRevoked = async () => (await this.#issuerOf(claims)) === null
    const caller = { name: account.name, clientId: account.clientId, scopes, isRevoked }
    this.#cache.set(token, caller)
    return caller
  }

  /** The account that the token was issued to, if it may still act with it. */
  async #issuerOf(claims: JWTPayload): Promise<ServiceAccount | null> {
    const account = await this.#store.find(String(claims.sub))
    if (!account || !isTokenOf(account, claims)) return null
    if (!isIssuedWith(this.#keys, validSecrets(account, this.#clock), claims.secret_id)) return null
    return (await this.#isUsable(account)) ? account : null
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

  /** A secret that was hashed with another JwtSecret stays valid when that one is no longer accepted (rule ROTATE-3). */
  async #rehash({ name, secretHash }: ServiceAccount, secret: string, clientSecret: string): Promise<void> {
    const rehashed = secret === secretHash ? rehashSecret(this.#keys, secret, clientSecret) : null
    if (rehashed !== null) await this.#store.replaceHash(name, secretHash, rehashed)
  }
}
