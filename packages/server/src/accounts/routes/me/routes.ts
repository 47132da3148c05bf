import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Done,
  EndedSignInsResponse,
  MeRequest,
  MeResponse,
  OwnedServiceAccountList,
  PasswordRequest,
  SignInListResponse,
  SignInParams,
} from '@lectern/protocol'
import type { Integration } from '../../../hooks.ts'
import type { Auth } from '../../../http/authentication.ts'
import { passwordCaller } from '../../../http/password-caller.ts'
import type { Limits } from '../../../platform/route-limits.ts'
import type { OwnAccount } from '../../own-account.ts'
import { presentMe, presentSignIn } from './present.ts'

interface MeRoutesOptions {
  auth: Auth
  ownAccount: OwnAccount
  integration: Pick<Integration, 'ownedBy'>
  limits: Limits
}

/** The signed-in user's own account (docs/http-api.md#your-account). */
export const meRoutes =
  ({ auth, ownAccount, integration, limits }: MeRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.signedIn }

    app.get(
      '/me',
      {
        config,
        schema: {
          operationId: 'getMe',
          tag: 'Accounts',
          summary: 'Get the signed-in user',
          description: 'The account of the access token.',
          response: { 200: MeResponse },
        },
      },
      async request => presentMe(auth.signedIn.callerOf(request).user, ownAccount),
    )

    app.patch(
      '/me',
      {
        config,
        schema: {
          operationId: 'updateMe',
          tag: 'Accounts',
          summary: 'Change your name, language or mails',
          description: 'Changes what the request contains. For accounts with a login of their own.',
          errors: ['permission_denied', 'rate_limited'],
          body: MeRequest,
          response: { 200: MeResponse },
        },
      },
      async request => {
        const { display_name: displayName, language, missed_call_mails: missedCallMails } = request.body
        const { user } = auth.signedIn.callerOf(request)
        const changed = await ownAccount.update(user, { displayName, language, missedCallMails })
        return presentMe(changed, ownAccount)
      },
    )

    app.post(
      '/me/password',
      {
        config,
        ...limits('login'),
        schema: {
          operationId: 'changePassword',
          tag: 'Accounts',
          summary: 'Change your password',
          description:
            'Ends all other sign-ins; the one of the request stays. A wrong `current` counts as a failed sign-in.',
          errors: [
            'wrong_password',
            'no_password',
            'password_sign_in_disabled',
            'permission_denied',
            'rate_limited',
            'temporarily_unavailable',
            'not_configured',
          ],
          body: PasswordRequest,
          response: { 200: Done },
        },
      },
      async (request, reply) => {
        const { current, new: next } = request.body
        const caller = passwordCaller(request, reply)
        await ownAccount.changePassword(auth.signedIn.callerOf(request), { current, next }, caller)
        return { result: 200 as const }
      },
    )

    app.get(
      '/me/sign-ins',
      {
        config,
        schema: {
          operationId: 'listSignIns',
          tag: 'Accounts',
          summary: 'List your sign-ins',
          description: 'The newest 100 active sign-ins, last used first.',
          errors: ['permission_denied'],
          response: { 200: SignInListResponse },
        },
      },
      async request => {
        const caller = auth.signedIn.callerOf(request)
        const { signIns, total } = await ownAccount.listSignIns(caller)
        return { result: 200 as const, sign_ins: signIns.map(presentSignIn(caller)), total }
      },
    )

    app.get(
      '/me/service-accounts',
      {
        config,
        schema: {
          operationId: 'listOwnServiceAccounts',
          tag: 'Accounts',
          summary: 'List the service accounts that you own',
          description:
            'Those of the technical users that you own. Their names go into `Lectern-Service-Account`. Empty without the partner module.',
          response: { 200: OwnedServiceAccountList },
        },
      },
      async request => {
        const { user } = auth.signedIn.callerOf(request)
        return { result: 200 as const, service_accounts: await integration.ownedBy(user) }
      },
    )

    app.delete(
      '/me/sign-ins',
      {
        config,
        schema: {
          operationId: 'endOtherSignIns',
          tag: 'Accounts',
          summary: 'End your other sign-ins',
          description: 'Ends all sign-ins except the one of the request, and returns their number.',
          errors: ['permission_denied', 'rate_limited'],
          response: { 200: EndedSignInsResponse },
        },
      },
      async request => ({
        result: 200 as const,
        ended: await ownAccount.endOtherSignIns(auth.signedIn.callerOf(request)),
      }),
    )

    app.delete(
      '/me/sign-ins/:id',
      {
        config,
        schema: {
          operationId: 'endSignIn',
          tag: 'Accounts',
          summary: 'End one of your sign-ins',
          description: 'Takes effect at once. One that has ended already is not an error.',
          errors: ['sign_in_not_found', 'permission_denied', 'rate_limited'],
          example: { path: { id: 'u-vXF7RnB14FEkJFbdAFEckA' } },
          params: SignInParams,
          response: { 200: Done },
        },
      },
      async request => {
        await ownAccount.endSignIn(auth.signedIn.callerOf(request), request.params.id)
        return { result: 200 as const }
      },
    )
  }
