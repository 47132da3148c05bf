import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Done,
  ensure,
  GuestRequest,
  LoginRequest,
  LoginResponse,
  LogoutRequest,
  RefreshRequest,
} from '@lectern/protocol'
import type { Accounts } from '../../accounts/accounts.ts'
import type { PasswordLogin } from '../../accounts/password-login.ts'
import type { Sessions } from '../../accounts/sessions.ts'
import type { Limits } from '../../route-limits.ts'
import type { Auth } from '../authentication.ts'
import { bodyIsOptional } from '../body.ts'
import { passwordCaller } from '../password-caller.ts'
import { presentLogin } from './present.ts'

interface AuthRoutesOptions {
  auth: Auth
  accounts: Accounts
  passwordLogin: PasswordLogin
  sessions: Sessions
  limits: Limits
  allowGuests: boolean
}

/** Sign-in of ordinary users and guests (docs/http-api.md#tokens). */
export const authRoutes =
  ({
    auth,
    accounts,
    passwordLogin,
    sessions,
    limits,
    allowGuests,
  }: AuthRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.none } // the body holds the secret

    app.post(
      '/auth/login',
      {
        config,
        ...limits('login'),
        schema: { operationId: 'signIn', body: LoginRequest, response: { 200: LoginResponse } },
      },
      async (request, reply) => {
        const { login, password } = request.body
        const caller = passwordCaller(request, reply)
        const { user, tokens } = await passwordLogin.signIn(login, password, caller)
        return presentLogin(user, tokens)
      },
    )

    app.post(
      '/auth/refresh',
      {
        config,
        ...limits('refresh'),
        schema: {
          operationId: 'refreshTokens',
          body: RefreshRequest,
          response: { 200: LoginResponse },
        },
      },
      async ({ body }) => {
        const { user, tokens } = await sessions.refresh(body.refresh_token, body.request_id)
        return presentLogin(user, tokens)
      },
    )

    app.post(
      '/auth/logout',
      {
        config,
        ...limits('refresh'),
        schema: {
          operationId: 'signOut',
          body: LogoutRequest,
          response: { 200: Done },
        },
      },
      async ({ body }) => {
        await sessions.close(body.refresh_token)
        return { result: 200 as const }
      },
    )

    app.post(
      '/auth/guest',
      {
        config,
        ...limits('guest'),
        preValidation: bodyIsOptional,
        schema: { operationId: 'createGuest', body: GuestRequest, response: { 200: LoginResponse } },
      },
      async ({ body, headers }) => {
        ensure(allowGuests, 'guests_not_allowed')
        sessions.ensureConfigured()
        const guest = await accounts.addGuest(body.display_name ?? '')
        return presentLogin(guest, await sessions.open(guest, { userAgent: headers['user-agent'] }))
      },
    )
  }
