import { randomBytes } from 'node:crypto'
import { ensure, lazyCheck } from '@lectern/protocol'
import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import type { PlatformStore } from '../stores/lti/platforms.ts'
import { MEMBERS_SCOPE, SCORE_SCOPE } from './claims.ts'
import { assertAddress, type FetchPlatform, jsonOf } from './http.ts'
import { hashSecret } from './secrets.ts'

interface RegistrationsParts {
  store: PlatformStore
  fetch: FetchPlatform
  allowInsecure: boolean
  publicUrl: () => string
  clock: Clock
}

const Address = Type.String({ maxLength: 2048, pattern: '^[^\\u0000]*$' })
const configuration = lazyCheck(
  Type.Object({
    issuer: Address,
    authorization_endpoint: Address,
    token_endpoint: Address,
    jwks_uri: Address,
    registration_endpoint: Address,
    'https://purl.imsglobal.org/spec/lti-platform-configuration': Type.Optional(
      Type.Object({ product_family_code: Type.Optional(Type.String({ maxLength: 100 })) }),
    ),
  }),
)
const registered = lazyCheck(Type.Object({ client_id: Type.String({ minLength: 1, maxLength: 255 }) }))

/** Registers this server at platforms (LTI Dynamic Registration 1.0). */
export class Registrations {
  readonly #parts: RegistrationsParts

  constructor(parts: RegistrationsParts) {
    this.#parts = parts
  }

  /** Throws `link_invalid` when the invitation is unknown or used, and `invalid_argument` for a platform that is not usable. */
  async register(request: {
    invitation: string
    configurationUrl: string
    registrationToken: string | undefined
  }): Promise<void> {
    const { store, clock, allowInsecure } = this.#parts
    const invitation = hashSecret(request.invitation)
    const clientId = await store.findInvitation(invitation, clock())
    ensure(clientId !== null, 'link_invalid', 'This link for registrations was used, or has expired.')
    const found = await this.#configurationOf(request.configurationUrl)
    const { authorization_endpoint, token_endpoint, jwks_uri, registration_endpoint } = found
    for (const url of [authorization_endpoint, token_endpoint, jwks_uri, registration_endpoint])
      assertAddress(url, allowInsecure)
    const ltiClientId = await this.#registerAt(registration_endpoint, request.registrationToken)
    const { product_family_code: product = 'LTI' } =
      found['https://purl.imsglobal.org/spec/lti-platform-configuration'] ?? {}
    const platform = {
      id: randomBytes(8).toString('hex'),
      clientId,
      issuer: found.issuer,
      ltiClientId,
      name: `${product} ${new URL(authorization_endpoint).host}`,
      authorizationUrl: authorization_endpoint,
      tokenUrl: token_endpoint,
      jwksUrl: jwks_uri,
      createdAtMs: clock(),
    }
    // Last: whoever was refused tries again with the same link.
    await store.register(platform, invitation)
  }

  async #configurationOf(url: string) {
    const answer: unknown = await this.#parts
      .fetch(url)
      .then(jsonOf)
      .catch(() => null)
    ensure(configuration.Check(answer), 'invalid_argument', 'The platform has no usable configuration.')
    return answer
  }

  async #registerAt(endpoint: string, token: string | undefined): Promise<string> {
    const headers = {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const body = JSON.stringify(toolConfiguration(this.#parts.publicUrl()))
    const answer: unknown = await this.#parts
      .fetch(endpoint, { method: 'POST', headers, body })
      .then(jsonOf)
      .catch(() => null)
    ensure(registered.Check(answer), 'invalid_argument', 'The platform has refused the registration.')
    return answer.client_id
  }
}

const toolConfiguration = (url: string) => ({
  application_type: 'web',
  response_types: ['id_token'],
  grant_types: ['implicit', 'client_credentials'],
  initiate_login_uri: `${url}/lti/login`,
  redirect_uris: [`${url}/lti/launch`],
  client_name: 'Lectern',
  jwks_uri: `${url}/lti/jwks`,
  logo_uri: `${url}/icons/icon-192.png`,
  token_endpoint_auth_method: 'private_key_jwt',
  scope: `${SCORE_SCOPE} ${MEMBERS_SCOPE}`,
  'https://purl.imsglobal.org/spec/lti-tool-configuration': {
    domain: new URL(url).host,
    target_link_uri: `${url}/lti/launch`,
    claims: ['iss', 'sub', 'name', 'given_name', 'family_name'],
    messages: [
      { type: 'LtiResourceLinkRequest' },
      { type: 'LtiDeepLinkingRequest', target_link_uri: `${url}/lti/launch`, label: 'Lectern' },
    ],
  },
})
