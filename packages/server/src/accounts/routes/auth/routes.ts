import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Done,
  ensure,
  GuestRequest,
  LoginRequest,
  LoginResponse,
  LogoutRequest,
  PasswordResetRequest,
  RefreshRequest,
} from '@lectern/protocol'
import type { Auth } from '../../../http/authentication.ts'
import { bodyIsOptional } from '../../../http/body.ts'
import { passwordCaller } from '../../../http/password-caller.ts'
import type { Limits } from '../../../platform/route-limits.ts'
import type { Accounts } from '../../accounts.ts'
import type { AuthSessions } from '../../auth-sessions.ts'
import type { PasswordLogin } from '../../password-login.ts'
import type { PasswordReset } from '../../password-reset.ts'
import { presentLogin } from './present.ts'

interface AuthRoutesOptions {
  auth: Auth
  accounts: Accounts
  passwordLogin: PasswordLogin
  /** Null: the server sends no mail. */
  passwordReset: PasswordReset | null
  /** `[Oidc] PasswordSignIn`. */
  hasPasswords: boolean
  sessions: AuthSessions
  limits: Limits
  allowGuests: boolean
}

/** Sign-in of ordinary users and guests (docs/http-api.md#tokens). */
export const authRoutes =
  ({
    auth,
    accounts,
    passwordLogin,
    passwordReset,
    hasPasswords,
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
        schema: {
          operationId: 'signIn',
          tag: 'Accounts',
          summary: 'Sign in',
          description:
            'Signs in with login and password. A wrong login and a wrong password are the same refusal. Failures are limited for each account and address, and in total.',
          errors: [
            'invalid_credentials',
            'password_sign_in_disabled',
            'account_deleted',
            'account_disabled',
            'rate_limited',
            'temporarily_unavailable',
            'not_configured',
          ],
          body: LoginRequest,
          response: { 200: LoginResponse },
        },
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
          tag: 'Accounts',
          summary: 'Refresh tokens',
          description:
            'Exchanges a refresh token for the next pair of tokens. A refresh token may be used once; send a random `request_id` and repeat it if the response was lost. Any other second use ends the sign-in.',
          errors: ['session_ended', 'account_deleted', 'rate_limited', 'not_configured'],
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
          tag: 'Accounts',
          summary: 'Sign out',
          description:
            'Ends the sign-in of the refresh token, at once. One that has ended already is not an error.',
          errors: ['session_ended', 'rate_limited'],
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
      '/auth/password-reset',
      {
        config,
        ...limits('login'),
        schema: {
          operationId: 'requestPasswordReset',
          tag: 'Accounts',
          summary: 'Request a link to set another password',
          description:
            'Sends a link to the mail address of the account, if there is one with an address and a password. The answer is the same in any case.',
          errors: ['password_sign_in_disabled', 'rate_limited', 'not_configured'],
          example: { request: { login: 'anna@school.example' } },
          body: PasswordResetRequest,
          response: { 200: Done },
        },
      },
      async ({ body }) => {
        ensure(hasPasswords, 'password_sign_in_disabled')
        sessions.ensureConfigured()
        ensure(passwordReset, 'not_configured')
        passwordReset.request(body.login)
        return { result: 200 as const }
      },
    )

    app.post(
      '/auth/guest',
      {
        config,
        ...limits('guest'),
        preValidation: bodyIsOptional,
        schema: {
          operationId: 'createGuest',
          tag: 'Accounts',
          summary: 'Create a guest account',
          description: 'Creates a guest and signs it in, where the operator admits guests.',
          errors: ['guests_not_allowed', 'rate_limited', 'not_configured'],
          example: {
            response: {
              user: {
                user_id: 311,
                login: 'guest-7f3a9c12',
                display_name: 'Ben',
                kind: 'guest',
                capabilities: [],
              },
            },
          },
          body: GuestRequest,
          response: { 200: LoginResponse },
        },
      },
      async ({ body, headers }) => {
        ensure(allowGuests, 'guests_not_allowed')
        sessions.ensureConfigured()
        const guest = await accounts.addGuest(body.display_name ?? '')
        return presentLogin(guest, await sessions.open(guest, { userAgent: headers['user-agent'] }))
      },
    )
  }
