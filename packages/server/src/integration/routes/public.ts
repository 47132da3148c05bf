import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  JoinParams,
  JoinResponse,
  ParticipantRequest,
  ParticipantResponse,
  TokenRequest,
  TokenResponse,
} from '@lectern/protocol'
import type { Sessions } from '../../accounts/sessions.ts'
import { noAuth } from '../../http/auth-policy.ts'
import { bodyIsOptional } from '../../http/body.ts'
import type { Limits } from '../../route-limits.ts'
import type { RoomPresenter } from '../present.ts'
import type { Rooms } from '../rooms.ts'
import type { ServiceAccounts } from '../service-accounts.ts'
import type { Visitors } from '../visitors.ts'

interface PublicRoutesOptions {
  serviceAccounts: ServiceAccounts
  visitors: Visitors
  rooms: Rooms
  present: RoomPresenter
  sessions: Sessions
  limits: Limits
}

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
        schema: { operationId: 'createAccessToken', body: TokenRequest, response: { 200: TokenResponse } },
      },
      async ({ body }) => serviceAccounts.issueToken(body.service_account, body.client_secret),
    )

    app.get(
      '/join/:token',
      {
        config: { auth: noAuth },
        ...limits('link'),
        schema: { operationId: 'resolveLink', params: JoinParams, response: { 200: JoinResponse } },
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
