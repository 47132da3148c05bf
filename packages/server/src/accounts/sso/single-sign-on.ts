import { createHash, createHmac, randomBytes } from 'node:crypto'
import { ensure, Refusal, SSO_CALLBACK_PATH } from '@lectern/protocol'
import { equalSecrets } from '../../platform/constant-time.ts'
import type { Jwt } from '../jwt.ts'
import type { Keys, SecretKeys } from '../keys.ts'
import { ensureOwnLogin } from '../partner-person.ts'
import type { User } from '../ports.ts'
import { signInQueue } from '../sign-in-queue.ts'
import type { ExternalIdentityStore } from '../stores/external-identities.ts'
import type { Identities } from './identities.ts'
import type { AuthorizationRequest, ExternalIdentity, IdentityProvider } from './ports.ts'

interface SingleSignOnOptions {
  /** Shown on the button. */
  name: string
  issuer: string
  provider: IdentityProvider
  identities: Identities
  store: ExternalIdentityStore
  jwt: Jwt
  keys: Keys
  publicUrl: () => string
  /** Whether the user can sign in with a password. */
  hasPassword: (user: User) => boolean
}

/** The beginning of a sign-in at the provider. */
export interface StartedSignIn {
  authorizationUrl: string
  /** A secret of the browser tab, which completes the sign-in. */
  ticket: string
  expiresIn: number
}

/** The parameters with which the provider sends the browser back. */
export interface ProviderAnswer {
  /** The query of the callback. */
  query: string
  ticket: string
}

/** Enough for a second factor or a forgotten password. */
const STARTED_SECONDS = 30 * 60
/** The provider may be slow: more sign-ins at once would only occupy memory. */
const CONCURRENCY = 16
const WAITING_MAX = 100

/**
 * Sign-in at an OpenID provider: authorization code with PKCE, state and nonce (decision 46). Nothing is stored between start
 * and completion: the state is signed, nonce and code verifier are derived from it, so that any server completes it, also
 * after a restart.
 */
export class SingleSignOn {
  readonly #parts: SingleSignOnOptions
  readonly #completing = signInQueue(CONCURRENCY, WAITING_MAX)

  constructor(parts: SingleSignOnOptions) {
    this.#parts = parts
  }

  get name(): string {
    return this.#parts.name
  }

  /**
   * `user`: links the person at the provider to this user, who is signed in. Throws `identity_provider_unavailable`, and
   * `permission_denied` for a user without a login of their own.
   */
  async start(user?: User): Promise<StartedSignIn> {
    if (user) ensureOwnLogin(user)
    const { provider, jwt, keys } = this.#parts
    const [id, ticket] = [randomText(), randomText()]
    const claims = { id, tkt: hash(ticket), key: keyId(keys), ...(user && { sub: String(user.id) }) }
    const state = await jwt.sign('lectern:sso', claims, STARTED_SECONDS)
    const authorizationUrl = await provider.authorizationUrl(this.#request(state, id, keys))
    return { authorizationUrl, ticket, expiresIn: STARTED_SECONDS }
  }

  /**
   * Returns the user who signed in at the provider. Throws `sign_in_expired`, `sign_in_cancelled`,
   * `identity_provider_unavailable`, `account_deleted` or `sign_up_not_allowed`.
   */
  complete(answer: ProviderAnswer, signal: AbortSignal): Promise<User> {
    const { identities } = this.#parts
    return this.#redeem(answer, undefined, signal, profile => identities.userOf(profile))
  }

  /** Completes a start for this user. Throws as `complete`, and `identity_taken`. */
  completeLink(user: User, answer: ProviderAnswer, signal: AbortSignal): Promise<void> {
    const { identities } = this.#parts
    return this.#redeem(answer, String(user.id), signal, profile => identities.link(user, profile))
  }

  listOf({ id }: User): Promise<ExternalIdentity[]> {
    return this.#parts.store.listOf(id)
  }

  /** Removes the link to the configured provider. Throws `permission_denied` if nothing else would sign the user in. */
  async unlink(user: User): Promise<void> {
    const { store, issuer, hasPassword } = this.#parts
    ensure(hasPassword(user), 'permission_denied', 'This account has no password to sign in with.')
    const all = await store.listOf(user.id)
    const own = all.find(each => sameIssuer(each.issuer, issuer))
    if (own) await store.unlink(user.id, own.issuer)
  }

  #redeem<T>(
    { query, ticket }: ProviderAnswer,
    subject: string | undefined,
    signal: AbortSignal,
    use: (profile: Awaited<ReturnType<IdentityProvider['redeem']>>) => Promise<T>,
  ): Promise<T> {
    return this.#completing.run(async () => {
      const state = new URLSearchParams(query).get('state') ?? ''
      const claims = await this.#parts.jwt.verify('lectern:sso', state).catch(toExpired)
      // Another browser's answer: it must not sign this one in (RFC 9700 §4.7).
      ensure(equalSecrets(hash(ticket), String(claims.tkt)), 'sign_in_expired')
      ensure(claims.sub === subject, 'sign_in_expired')
      const id = String(claims.id)
      // The JwtSecret may be another one since the start.
      const keys = this.#parts.keys.accepted.find(each => keyId(each) === claims.key) ?? this.#parts.keys
      const profile = await this.#parts.provider.redeem(query, this.#request(state, id, keys))
      return use(profile)
    }, signal)
  }

  #request(state: string, id: string, keys: Derivation): AuthorizationRequest {
    const { publicUrl } = this.#parts
    const derive = (purpose: string) =>
      createHmac('sha256', keys.derive(purpose)).update(id).digest('base64url')
    return {
      redirectUri: publicUrl() + SSO_CALLBACK_PATH,
      state,
      nonce: derive('sso nonce'),
      codeVerifier: derive('sso code verifier'),
    }
  }
}

type Derivation = Pick<SecretKeys, 'derive'>

/** Says which JwtSecret it was, and nothing about it. */
const keyId = (keys: Derivation) => keys.derive('sso key id').toString('base64url', 0, 6)
const randomText = () => randomBytes(32).toString('base64url')
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

const sameIssuer = (one: string, other: string) => one.replace(/\/$/, '') === other.replace(/\/$/, '')

function toExpired(error: unknown): never {
  throw error instanceof Refusal && error.code !== 'not_configured' ? new Refusal('sign_in_expired') : error
}
