import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  type ErrorCode,
  JoinParams,
  JoinResponse,
  ParticipantRequest,
  ParticipantResponse,
  TokenRequest,
  TokenResponse,
} from '@lectern/protocol'
import type { AuthSessions } from '../../accounts/auth-sessions.ts'
import { noAuth } from '../../http/auth-policy.ts'
import { bodyIsOptional } from '../../http/body.ts'
import type { Limits } from '../../platform/route-limits.ts'
import type { RoomPresenter } from '../present.ts'
import type { Rooms } from '../rooms.ts'
import type { ServiceAccounts } from '../service-accounts.ts'
import type { Visitors } from '../visitors.ts'

interface PublicRoutesOptions {
  serviceAccounts: ServiceAccounts
  visitors: Visitors
  rooms: Rooms
  present: RoomPresenter
  sessions: AuthSessions
  limits: Limits
}

const LINK_ERRORS: ErrorCode[] = [
  'link_invalid',
  'room_not_found',
  'link_rotated',
  'room_closed',
  'room_cancelled',
  'room_not_open',
  'account_deleted',
  'account_disabled',
  'rate_limited',
  'not_configured',
]

/** Routes without a bearer token: the body or the path contains the secret (rule TOKEN-2). */
export const publicRoutes =
  ({
    serviceAccounts,
    visitors,
    rooms,
    present,
    sessions,
    limits,
  }: PublicRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    app.post(
      '/auth/token',
      {
        config: { auth: noAuth },
        ...limits('token'),
        schema: {
          operationId: 'createAccessToken',
          tag: 'Links and tokens',
          summary: 'Get an access token',
          description:
            'Exchanges the secret of a service account for an access token. Store the token: it is valid for `expires_in` seconds, and there is no refresh token.',
          errors: ['invalid_credentials', 'rate_limited', 'not_configured'],
          body: TokenRequest,
          response: { 200: TokenResponse },
        },
      },
      async ({ body }) => serviceAccounts.issueToken(body.service_account, body.client_secret),
    )

    app.get(
      '/join/:token',
      {
        config: { auth: noAuth },
        ...limits('link'),
        schema: {
          operationId: 'resolveLink',
          tag: 'Links and tokens',
          summary: 'Resolve a link',
          description:
            'What a signed link opens: its room, its role and the name of its person. The response never contains a signed link.',
          errors: LINK_ERRORS,
          example: { response: { status: 'active' } },
          params: JoinParams,
          response: { 200: JoinResponse },
        },
      },
      async ({ params }) => {
        const entry = await visitors.resolve(params.token)
        return present.entry(entry, await rooms.preview(entry.room, entry.role))
      },
    )

    app.post(
      '/join/:token',
      {
        config: { auth: noAuth },
        ...limits('link'),
        preValidation: bodyIsOptional,
        schema: {
          operationId: 'signInByLink',
          tag: 'Links and tokens',
          summary: 'Sign in by link',
          description:
            'Signs the person of a personal link in. Repeated calls, other tabs and other devices get the same account. A `display_name` renames the account.',
          errors: ['no_participant_account', ...LINK_ERRORS],
          example: { response: { login: 'p-4d1f0c2a9be37c58d6e1a2b0', expires_in: 900 } },
          params: JoinParams,
          body: ParticipantRequest,
          response: { 200: ParticipantResponse },
        },
      },
      async ({ params, body, headers }) => {
        const user = await visitors.signIn(params.token, body.display_name)
        const tokens = await sessions.open(user, { userAgent: headers['user-agent'] })
        return { result: 200 as const, login: user.login, user_id: user.id, ...tokens }
      },
    )
  }
