import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Done,
  EndedSignInsResponse,
  MeRequest,
  MeResponse,
  PasswordRequest,
  SignInListResponse,
  SignInParams,
} from '@lectern/protocol'
import type { OwnAccount } from '../../accounts/own-account.ts'
import type { Limits } from '../../route-limits.ts'
import type { Auth } from '../authentication.ts'
import { passwordCaller } from '../password-caller.ts'
import { presentMe, presentSignIn } from './present.ts'

interface MeRoutesOptions {
  auth: Auth
  ownAccount: OwnAccount
  limits: Limits
}

/** The signed-in user's own account (docs/http-api.md#your-account). */
export const meRoutes =
  ({ auth, ownAccount, limits }: MeRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.signedIn }

    app.get(
      '/me',
      { config, schema: { operationId: 'getMe', response: { 200: MeResponse } } },
      async request => presentMe(auth.signedIn.callerOf(request).user),
    )

    app.patch(
      '/me',
      {
        config,
        schema: { operationId: 'updateMe', body: MeRequest, response: { 200: MeResponse } },
      },
      async request => {
        const { display_name: displayName, language } = request.body
        const { user } = auth.signedIn.callerOf(request)
        return presentMe(await ownAccount.update(user, { displayName, language }))
      },
    )

    app.post(
      '/me/password',
      {
        config,
        ...limits('login'),
        schema: { operationId: 'changePassword', body: PasswordRequest, response: { 200: Done } },
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
      { config, schema: { operationId: 'listSignIns', response: { 200: SignInListResponse } } },
      async request => {
        const caller = auth.signedIn.callerOf(request)
        const { signIns, total } = await ownAccount.listSignIns(caller)
        return { result: 200 as const, sign_ins: signIns.map(presentSignIn(caller)), total }
      },
    )

    app.delete(
      '/me/sign-ins',
      { config, schema: { operationId: 'endOtherSignIns', response: { 200: EndedSignInsResponse } } },
      async request => ({
        result: 200 as const,
        ended: await ownAccount.endOtherSignIns(auth.signedIn.callerOf(request)),
      }),
    )

    app.delete(
      '/me/sign-ins/:id',
      {
        config,
        schema: { operationId: 'endSignIn', params: SignInParams, response: { 200: Done } },
      },
      async request => {
        await ownAccount.endSignIn(auth.signedIn.callerOf(request), request.params.id)
        return { result: 200 as const }
      },
    )
  }
