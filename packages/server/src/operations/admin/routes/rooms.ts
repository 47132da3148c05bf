import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  type AdminRoom,
  AdminRoomListResponse,
  AdminRoomQuery,
  AdminRoomResponse,
  ensure,
} from '@lectern/protocol'
import { Type } from 'typebox'
import type { UserStore } from '../../../accounts/stores/users.ts'
import { parameter } from '../../../http/audit-rule.ts'
import type { Auth } from '../../../http/authentication.ts'
import type { Operation } from '../../../http/openapi/operation.ts'
import type { Room } from '../../../partners/ports.ts'
import { readPage, searchOf } from '../../../platform/paging.ts'
import type { PartnerAdministration } from '../partners.ts'
import { presentRoom } from '../present-room.ts'
import { Id } from './common.ts'

interface AdminRoomRoutesOptions {
  auth: Auth
  users: Pick<UserStore, 'find'>
  partners: PartnerAdministration
}

const RoomParams = Type.Object({ tag: Id })

const operations = {
  close: {
    operationId: 'adminCloseRoom',
    tag: 'Administration',
    summary: 'Close a room',
    description: 'Closes the room as its partner can. Ends a running call.',
    errors: ['room_not_found', 'partner_module_disabled'],
    example: { response: { status: 'closed', live: false } },
  },
  cancel: {
    operationId: 'adminCancelRoom',
    tag: 'Administration',
    summary: 'Cancel a room',
    description: 'Cancels the room as its partner can. Ends a running call.',
    errors: ['room_not_found', 'partner_module_disabled'],
    example: { response: { status: 'cancelled', live: false } },
  },
} as const satisfies Record<string, Operation>

/** The rooms of all partners. */
export const roomRoutes =
  ({ auth, users, partners }: AdminRoomRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }
    const present = async (room: Room, live: boolean): Promise<AdminRoom> =>
      presentRoom(room, (await users.find(room.clientId))?.login ?? String(room.clientId), live)

    app.get(
      '/rooms',
      {
        config,
        schema: {
          operationId: 'adminListRooms',
          tag: 'Administration',
          summary: 'List rooms',
          description: 'The rooms of all partners, newest first, in pages.',
          errors: ['partner_module_disabled'],
          querystring: AdminRoomQuery,
          response: { 200: AdminRoomListResponse },
        },
      },
      async ({ query }) => {
        const filter = { search: searchOf(query), status: query.status }
        const { rows, next } = await readPage(
          query,
          page => partners.parts.lists.rooms(filter, page),
          ({ roomId }) => roomId,
        )
        const live = await partners.parts.rooms.listLive(rows)
        const rooms = await Promise.all(rows.map(room => present(room, live.has(room.tag))))
        return { result: 200 as const, rooms, next }
      },
    )

    app.get(
      '/rooms/:tag',
      {
        config,
        schema: {
          operationId: 'adminGetRoom',
          tag: 'Administration',
          summary: 'Get a room',
          description: 'A room of any partner, without its links.',
          errors: ['room_not_found', 'partner_module_disabled'],
          params: RoomParams,
          response: { 200: AdminRoomResponse },
        },
      },
      async ({ params }) => {
        const { rooms } = partners.parts
        const room = await rooms.findByTag(params.tag)
        ensure(room, 'room_not_found')
        return { result: 200 as const, ...(await present(room, await rooms.isLive(room))) }
      },
    )

    for (const action of ['close', 'cancel'] as const)
      app.post(
        `/rooms/:tag/${action}`,
        {
          config: { ...config, audit: { action: `room.${action}`, target: parameter('tag') } },
          schema: {
            ...operations[action],
            params: RoomParams,
            response: { 200: AdminRoomResponse },
          },
        },
        async ({ params }) => {
          const { rooms } = partners.parts
          const room = await rooms.findByTag(params.tag)
          ensure(room, 'room_not_found')
          const changed = await rooms[action](room.clientId, room.externalId)
          return { result: 200 as const, ...(await present(changed, await rooms.isLive(changed))) }
        },
      )
  }
