import { singleFlight, withTimeout } from '@lectern/common'
import { Refusal } from '@lectern/protocol'
import * as client from 'openid-client'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { failureOf, reasonOf } from './failures.ts'
import type { AuthorizationRequest, IdentityProvider, ProviderProfile } from './ports.ts'
import { mergeProfiles, profileOf } from './profile.ts'

const timedOut = () => Object.assign(new Error('timeout'), { code: 'timeout' })

export interface ProviderSettings {
  issuer: string
  clientId: string
  /** Empty: a public client. */
  clientSecret: string
  scopes: string[]
  /** Permits http, for development. */
  allowInsecure: boolean
}

interface OidcProviderOptions {
  settings: ProviderSettings
  /** MUST NOT go back: what is cached would be used for as long. */
  clock: Clock
  log: Pick<Logger, 'warn'>
}

const REQUEST_TIMEOUT_S = 6
/** For all requests of one sign-in together. */
const REDEEM_TIMEOUT_MS = 12_000
const CLOCK_TOLERANCE_S = 30
/** How long the settings of the provider are used without another request for them. */
const FRESH_MS = 3_600_000
/** Between attempts while the provider does not answer. */
const RETRY_AFTER_MS = 5_000

/** The configured OpenID provider. Its settings (discovery) are cached, and used beyond their time while it is down. */
export class OidcProvider implements IdentityProvider {
  readonly #parts: OidcProviderOptions
  #known: { configuration: client.Configuration; atMs: number } | null = null
  #failedAtMs = Number.NEGATIVE_INFINITY

  constructor(parts: OidcProviderOptions) {
    this.#parts = parts
  }

  async authorizationUrl(request: AuthorizationRequest): Promise<string> {
    const configuration = await this.#configuration()
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: request.redirectUri,
      scope: [...new Set(['openid', ...this.#parts.settings.scopes])].join(' '),
      state: request.state,
      nonce: request.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(request.codeVerifier),
      code_challenge_method: 'S256',
    })
    return url.href
  }

  async redeem(query: string, request: AuthorizationRequest): Promise<ProviderProfile> {
    const configuration = await this.#configuration()
    try {
      return await withTimeout(this.#redeem(configuration, query, request), REDEEM_TIMEOUT_MS, timedOut)
    } catch (error) {
      const failure = failureOf(error)
      if (failure.code === 'identity_provider_unavailable')
        this.#parts.log.warn({ reason: reasonOf(error) }, 'the identity provider did not complete a sign-in')
      throw failure
    }
  }

  /** Requests the settings of the provider. Throws `identity_provider_unavailable`. */
  readonly discover = singleFlight(async (): Promise<void> => {
    const { settings, clock, log } = this.#parts
    try {
      const configuration = await discover(settings)
      this.#known = { configuration, atMs: clock() }
    } catch (error) {
      this.#failedAtMs = clock()
      log.warn(
        { issuer: settings.issuer, reason: reasonOf(error) },
        'the identity provider cannot be reached: nobody can sign in there until it answers',
      )
      throw new Refusal('identity_provider_unavailable', undefined, { retryAfterMs: RETRY_AFTER_MS })
    }
  })

  async #configuration(): Promise<client.Configuration> {
    const { clock } = this.#parts
    const isFresh = this.#known !== null && clock() - this.#known.atMs < FRESH_MS
    const mayRetry = clock() - this.#failedAtMs >= RETRY_AFTER_MS
    if (!isFresh && mayRetry) await this.discover().catch(() => {})
    if (!this.#known)
      throw new Refusal('identity_provider_unavailable', undefined, { retryAfterMs: RETRY_AFTER_MS })
    return this.#known.configuration
  }

  async #redeem(
    configuration: client.Configuration,
    query: string,
    { redirectUri, state, nonce, codeVerifier }: AuthorizationRequest,
  ): Promise<ProviderProfile> {
    const answer = new URL(redirectUri)
    answer.search = query
    const tokens = await client.authorizationCodeGrant(configuration, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('no ID token')
    const profile = profileOf(claims)
    const isComplete = profile.username !== '' && profile.name !== ''
    if (isComplete || !configuration.serverMetadata().userinfo_endpoint) return profile
    // Many providers put only the subject into the ID token.
    const info = await this.#userInfo(configuration, tokens.access_token, claims.sub)
    return info
      ? mergeProfiles(profile, profileOf({ ...info, iss: claims.iss }))
      : { ...profile, isPartial: true }
  }

  /** Null if userinfo has failed. Throws if it is about somebody else. */
  async #userInfo(configuration: client.Configuration, token: string, subject: string) {
    try {
      return await client.fetchUserInfo(configuration, token, subject)
    } catch (error) {
      if ((error as { code?: unknown }).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw error
      this.#parts.log.warn(
        { reason: reasonOf(error) },
        'userinfo of the identity provider failed: the sign-in uses the ID token only',
      )
      return null
    }
  }
}

/** Discovery with every check that the library has: also the signature of ID tokens, although they come over TLS. */
export function discover(settings: ProviderSettings): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret, allowInsecure } = settings
  const metadata = { [client.clockTolerance]: CLOCK_TOLERANCE_S }
  const execute = [
    client.enableNonRepudiationChecks,
    ...(allowInsecure ? [client.allowInsecureRequests] : []),
  ]
  return client.discovery(new URL(issuer), clientId, metadata, authenticationBy(clientSecret), {
    execute,
    timeout: REQUEST_TIMEOUT_S,
    [client.customFetch]: boundedFetch,
  })
}

/** By POST where the provider supports it, because providers decode Basic credentials differently. */
function authenticationBy(secret: string): client.ClientAuth {
  if (secret === '') return client.None()
  const [post, basic] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)]
  return (server, ...rest) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (supported.includes('client_secret_post') ? post : basic)(server, ...rest)
  }
}
