import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { InvitationParams, InvitationRequest, InvitationResponse, LoginResponse } from '@lectern/protocol'
import { noAuth } from '../../../http/auth-policy.ts'
import { passwordCaller } from '../../../http/password-caller.ts'
import type { Limits } from '../../../platform/route-limits.ts'
import type { Invitations } from '../../invitations.ts'
import { presentLogin } from '../auth/present.ts'

interface InvitationRoutesOptions {
  invitations: Invitations
  limits: Limits
}

const path = { token: 'UBT5rzpoT91kp3XBxMUy7maxuWy1ax0CFw0iSbZ2T3U' }

/** Invitations by a secret link (docs/http-api.md#invitations). */
export const invitationRoutes =
  ({ invitations, limits }: InvitationRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: noAuth } // the path holds the secret

    app.get(
      '/invitations/:token',
      {
        config,
        ...limits('link'),
        schema: {
          operationId: 'getInvitation',
          tag: 'Accounts',
          summary: 'Get an invitation',
          description: 'Whom an invitation is for, and whether it replaces a password.',
          errors: [
            'invitation_invalid',
            'invitation_expired',
            'account_disabled',
            'password_sign_in_disabled',
            'rate_limited',
          ],
          example: { path },
          params: InvitationParams,
          response: { 200: InvitationResponse },
        },
      },
      async ({ params }) => {
        const { user, expiresAt } = await invitations.find(params.token)
        return {
          result: 200 as const,
          login: user.login,
          display_name: user.displayName,
          has_password: user.passwordHash !== null,
          expires_at_ms: expiresAt * 1000,
        }
      },
    )

    app.post(
      '/invitations/:token',
      {
        config,
        ...limits('login'),
        schema: {
          operationId: 'acceptInvitation',
          tag: 'Accounts',
          summary: 'Accept an invitation',
          description:
            'Sets the password, ends earlier sign-ins of the account, and signs in. It works once.',
          errors: [
            'invitation_invalid',
            'invitation_expired',
            'account_disabled',
            'password_sign_in_disabled',
            'rate_limited',
            'temporarily_unavailable',
            'not_configured',
          ],
          example: { path },
          params: InvitationParams,
          body: InvitationRequest,
          response: { 200: LoginResponse },
        },
      },
      async (request, reply) => {
        const caller = passwordCaller(request, reply)
        const { user, tokens } = await invitations.accept(request.params.token, request.body.password, caller)
        return presentLogin(user, tokens)
      },
    )
  }
