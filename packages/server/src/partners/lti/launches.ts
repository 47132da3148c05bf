import { randomBytes } from 'node:crypto'
import { ensure } from '@lectern/protocol'
import { createRemoteJWKSet, customFetch, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../platform/clock.ts'
import { equalSecrets } from '../../platform/constant-time.ts'
import type { LoginStore } from '../stores/lti/logins.ts'
import type { Platform, PlatformStore } from '../stores/lti/platforms.ts'
import { type Launch, readLaunch } from './claims.ts'
import type { FetchPlatform } from './http.ts'
import { hashSecret, makeSecret } from './secrets.ts'

interface LaunchesParts {
  platforms: PlatformStore
  logins: LoginStore
  /** Whether a service account of the technical user is active. */
  isUsable: (clientId: number) => Promise<boolean>
  fetch: FetchPlatform
  publicUrl: () => string
  clock: Clock
}

/** The request of a platform that begins a launch. */
export interface LoginRequest {
  issuer: string
  loginHint: string
  messageHint: string | undefined
  ltiClientId: string | undefined
  storageTarget: string | undefined
}

/** A begun launch: the browser stores the binding, then goes to the platform. */
export interface StartedLogin {
  platform: Platform
  state: string
  binding: string
  authorizationUrl: string
}

const LOGIN_TTL_MS = 600_000
const MAX_LOGINS = 10_000
const CLOCK_TOLERANCE_SECONDS = 60
/** Asymmetric ones: another would let the client id or a public key sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384']

/**
 * Launches of platforms (LTI 1.3, OpenID Connect third-party login). No cookies: what binds a launch to the browser is in
 * the storage of the platform, or of the tab (docs/lti.md#without-cookies).
 */
export class Launches {
  readonly #parts: LaunchesParts
  /** The key set of each address. Concurrent launches share one request. */
  readonly #keys = new LRUCache<string, JWTVerifyGetKey>({
    max: 100,
    memoMethod: url => createRemoteJWKSet(new URL(url), { [customFetch]: this.#fetchKeys }),
  })

  constructor(parts: LaunchesParts) {
    this.#parts = parts
  }

  /** Throws `link_invalid` for an unknown platform. */
  async begin(request: LoginRequest): Promise<StartedLogin> {
    const { platforms, logins, publicUrl, clock } = this.#parts
    const ofIssuer = await platforms.listOf(request.issuer)
    const [platform, other] = ofIssuer.filter(
      ({ ltiClientId }) => request.ltiClientId === undefined || ltiClientId === request.ltiClientId,
    )
    ensure(platform && !other, 'link_invalid', 'This platform is not registered here.')
    await this.#ensureUsable(platform)
    const [state, binding] = [makeSecret(), makeSecret()]
    const nonce = randomBytes(16).toString('base64url')
    await logins.add(
      hashSecret(state),
      {
        platformId: platform.id,
        nonce,
        bindingHash: hashSecret(binding),
        storageTarget: request.storageTarget ?? null,
        claims: null,
      },
      { expiresAtMs: clock() + LOGIN_TTL_MS, max: MAX_LOGINS },
    )
    const url = new URL(platform.authorizationUrl)
    const parameters = {
      scope: 'openid',
      response_type: 'id_token',
      response_mode: 'form_post',
      prompt: 'none',
      client_id: platform.ltiClientId,
      redirect_uri: `${publicUrl()}/lti/launch`,
      login_hint: request.loginHint,
      state,
      nonce,
      ...(request.messageHint !== undefined && { lti_message_hint: request.messageHint }),
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return { platform, state, binding, authorizationUrl: url.href }
  }

  /** Verifies the answer of the platform, once for each state. Throws `link_invalid`. */
  async answer(
    state: string,
    idToken: string,
  ): Promise<{ platform: Platform; launch: Launch; storageTarget: string | null }> {
    const { logins, platforms, clock } = this.#parts
    const login = await logins.find(hashSecret(state), clock())
    const platform = login && (await platforms.find(login.platformId))
    ensure(platform && login.claims === null, 'link_invalid', 'This launch was used, or has expired.')
    const payload = await this.#verify(platform, idToken)
    ensure(payload?.nonce === login.nonce, 'link_invalid', 'The platform has sent no valid id token.')
    const launch = readLaunch(payload)
    ensure(launch, 'link_invalid', 'The platform has sent an incomplete launch.')
    const isFirst = await logins.answer(hashSecret(state), JSON.stringify(launch))
    ensure(isFirst, 'link_invalid', 'This launch was used.')
    return { platform, launch, storageTarget: login.storageTarget }
  }

  /** The verified launch, once, for the browser that began it. Throws `link_invalid`. */
  async finish(state: string, binding: string): Promise<{ platform: Platform; launch: Launch }> {
    const { logins, platforms, clock } = this.#parts
    const login = await logins.find(hashSecret(state), clock())
    const isBound = login && equalSecrets(login.bindingHash, hashSecret(binding))
    const platform = isBound ? await platforms.find(login.platformId) : null
    ensure(
      platform && login?.claims,
      'link_invalid',
      'This launch was used, has expired, or began in another browser.',
    )
    await this.#ensureUsable(platform)
    ensure(await logins.use(hashSecret(state)), 'link_invalid', 'This launch was used.')
    return { platform, launch: JSON.parse(login.claims) as Launch }
  }

  async #ensureUsable({ clientId }: Platform): Promise<void> {
    const isUsable = await this.#parts.isUsable(clientId)
    ensure(isUsable, 'link_invalid', 'The service account of this platform is not active.')
  }

  /** Null if the token is not one of the platform for this server, or the keys of the platform are not available. */
  async #verify(platform: Platform, token: string): Promise<JWTPayload | null> {
    const verified = await jwtVerify(token, this.#keys.memo(platform.jwksUrl), {
      issuer: platform.issuer,
      audience: platform.ltiClientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'iat', 'nonce', 'sub'],
      maxTokenAge: LOGIN_TTL_MS / 1000,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(this.#parts.clock()),
    }).catch(() => null)
    if (!verified) return null
    const { payload } = verified
    const isOurs = payload.azp === undefined || payload.azp === platform.ltiClientId
    const hasParty = !Array.isArray(payload.aud) || payload.aud.length === 1 || payload.azp !== undefined
    return isOurs && hasParty ? payload : null
  }

  #fetchKeys = async (url: string, { signal }: { signal: AbortSignal }): Promise<Response> => {
    const { status, text } = await this.#parts.fetch(url, { signal })
    return new Response(text, { status })
  }
}
