import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  AdminDeliveryListResponse,
  AdminDeliveryQuery,
  AdminRoomListResponse,
  AdminRoomQuery,
} from '@lectern/protocol'
import type { UserStore } from '../../../accounts/stores/users.ts'
import type { Auth } from '../../../http/authentication.ts'
import { readPage, readTimePage, searchOf } from '../../../platform/paging.ts'
import type { PartnerAdministration } from '../partners.ts'
import { presentRoom } from '../present-room.ts'
import { NameParams } from './common.ts'
import { presentAdminDelivery } from './deliveries.ts'

interface AdminPartnerConsoleRoutesOptions {
  auth: Auth
  users: Pick<UserStore, 'find'>
  partners: PartnerAdministration
}

/** The rooms and the deliveries of one service account (docs/administration.md#partners). */
export const partnerConsoleRoutes =
  ({ auth, users, partners }: AdminPartnerConsoleRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }

    app.get(
      '/service-accounts/:name/rooms',
      {
        config,
        schema: {
          operationId: 'adminListServiceAccountRooms',
          tag: 'Administration',
          summary: 'List the rooms of a service account',
          description: 'The rooms of its technical user, newest first, in pages.',
          errors: ['service_account_not_found', 'partner_module_disabled'],
          params: NameParams,
          querystring: AdminRoomQuery,
          response: { 200: AdminRoomListResponse },
        },
      },
      async ({ params, query }) => {
        const { rooms } = partners.parts
        const { clientId } = await partners.findServiceAccount(params.name)
        const filter = { search: searchOf(query), status: query.status }
        const { rows, next } = await readPage(
          query,
          page => rooms.list(clientId, filter, page),
          ({ roomId }) => roomId,
        )
        const live = await rooms.listLive(rows)
        const owner = (await users.find(clientId))?.login ?? String(clientId)
        return {
          result: 200 as const,
          rooms: rows.map(room => presentRoom(room, owner, live.has(room.tag))),
          next,
        }
      },
    )

    app.get(
      '/service-accounts/:name/webhook-deliveries',
      {
        config,
        schema: {
          operationId: 'adminListServiceAccountDeliveries',
          tag: 'Administration',
          summary: 'List the webhook deliveries of a service account',
          description: 'Newest first, in pages, without contents.',
          errors: ['service_account_not_found', 'partner_module_disabled'],
          params: NameParams,
          querystring: AdminDeliveryQuery,
          response: { 200: AdminDeliveryListResponse },
        },
      },
      async ({ params, query }) => {
        const { name } = await partners.findServiceAccount(params.name)
        const { rows, next } = await readTimePage(
          query,
          page => partners.parts.ownDeliveries.list(name, { status: query.status }, page),
          ({ createdAt, id }) => ({ at: createdAt, id }),
        )
        return { result: 200 as const, deliveries: rows.map(presentAdminDelivery), next }
      },
    )
  }
