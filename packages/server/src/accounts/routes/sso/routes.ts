import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Done,
  IdentityListResponse,
  type IdentityView,
  LoginResponse,
  Refusal,
  SsoCompleteRequest,
  SsoStartResponse,
} from '@lectern/protocol'
import type { Auth } from '../../../http/authentication.ts'
import { bodyIsOptional } from '../../../http/body.ts'
import { disconnectSignal } from '../../../http/disconnect-signal.ts'
import { networksOf } from '../../../platform/networks.ts'
import type { Limits } from '../../../platform/route-limits.ts'
import type { AuthSessions } from '../../auth-sessions.ts'
import type { ExternalIdentity } from '../../sso/ports.ts'
import type { SingleSignOn, StartedSignIn } from '../../sso/single-sign-on.ts'
import { presentLogin } from '../auth/present.ts'

interface SsoRoutesOptions {
  auth: Auth
  sessions: AuthSessions
  /** Null: no provider is configured. */
  singleSignOn: SingleSignOn | null
  limits: Limits
}

/** Sign-in at an identity provider, and the link between its accounts and ours (docs/single-sign-on.md). */
export const ssoRoutes =
  ({ auth, sessions, singleSignOn, limits }: SsoRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const configured = () => {
      if (!singleSignOn) throw new Refusal('not_found', 'No identity provider is configured.')
      sessions.ensureConfigured()
      return singleSignOn
    }
    const config = { auth: auth.none } // the body holds the secret

    app.post(
      '/auth/sso/start',
      {
        config,
        ...limits('login'),
        preValidation: bodyIsOptional,
        schema: {
          operationId: 'startSso',
          tag: 'Accounts',
          summary: 'Start a sign-in at the identity provider',
          description:
            'Returns where the browser goes, and the ticket with which the same tab completes the sign-in. Without a provider it is 404.',
          errors: ['not_found', 'identity_provider_unavailable', 'rate_limited', 'not_configured'],
          response: { 200: SsoStartResponse },
        },
      },
      async () => presentStart(await configured().start()),
    )

    app.post(
      '/auth/sso/complete',
      {
        config,
        ...limits('login'),
        schema: {
          operationId: 'completeSso',
          tag: 'Accounts',
          summary: 'Complete a sign-in at the identity provider',
          description: 'Takes the query with which the provider returned, and the ticket of the start.',
          errors: [
            'not_found',
            'sign_in_expired',
            'sign_in_cancelled',
            'identity_provider_unavailable',
            'rate_limited',
            'not_configured',
            'account_deleted',
            'account_disabled',
            'sign_up_not_allowed',
          ],
          body: SsoCompleteRequest,
          response: { 200: LoginResponse },
        },
      },
      async ({ body, ip, headers }, reply) => {
        const user = await configured().complete(body, disconnectSignal(reply))
        const client = { network: networksOf(ip).narrow, userAgent: headers['user-agent'] }
        return presentLogin(user, await sessions.open(user, client))
      },
    )

    app.get(
      '/me/identities',
      {
        config: { auth: auth.user },
        schema: {
          operationId: 'listIdentities',
          tag: 'Accounts',
          summary: 'List your accounts at identity providers',
          description: 'The identities with which you can sign in.',
          response: { 200: IdentityListResponse },
        },
      },
      async request => {
        const user = auth.user.callerOf(request)
        const all = singleSignOn ? await singleSignOn.listOf(user) : []
        return { result: 200 as const, identities: all.map(presentIdentity) }
      },
    )

    app.post(
      '/me/identities/start',
      {
        config: { auth: auth.user },
        ...limits('login'),
        preValidation: bodyIsOptional,
        schema: {
          operationId: 'startIdentityLink',
          tag: 'Accounts',
          summary: 'Start to link your account at the identity provider',
          description: 'Like the start of a sign-in, for a signed-in user with a login of their own.',
          errors: [
            'not_found',
            'permission_denied',
            'identity_provider_unavailable',
            'rate_limited',
            'not_configured',
          ],
          response: { 200: SsoStartResponse },
        },
      },
      async request => presentStart(await configured().start(auth.user.callerOf(request))),
    )

    app.post(
      '/me/identities',
      {
        config: { auth: auth.user },
        ...limits('login'),
        schema: {
          operationId: 'linkIdentity',
          tag: 'Accounts',
          summary: 'Link your account at the identity provider',
          description: 'From then on you can sign in there. An identity belongs to one account.',
          errors: [
            'not_found',
            'sign_in_expired',
            'sign_in_cancelled',
            'identity_provider_unavailable',
            'rate_limited',
            'not_configured',
            'identity_taken',
          ],
          body: SsoCompleteRequest,
          response: { 200: Done },
        },
      },
      async (request, reply) => {
        const user = auth.user.callerOf(request)
        await configured().completeLink(user, request.body, disconnectSignal(reply))
        return { result: 200 as const }
      },
    )

    app.delete(
      '/me/identities',
      {
        config: { auth: auth.user },
        schema: {
          operationId: 'unlinkIdentity',
          tag: 'Accounts',
          summary: 'Unlink your account at the identity provider',
          description: 'Needs an account that has a password to sign in with.',
          errors: ['not_found', 'permission_denied', 'not_configured'],
          response: { 200: Done },
        },
      },
      async request => {
        await configured().unlink(auth.user.callerOf(request))
        return { result: 200 as const }
      },
    )
  }

const presentStart = ({ authorizationUrl, ticket, expiresIn }: StartedSignIn): SsoStartResponse => ({
  result: 200,
  authorization_url: authorizationUrl,
  ticket,
  expires_in: expiresIn,
})

const presentIdentity = ({ issuer, label, createdAt, usedAt }: ExternalIdentity): IdentityView => ({
  issuer,
  label,
  created_at: createdAt,
  used_at: usedAt,
})
