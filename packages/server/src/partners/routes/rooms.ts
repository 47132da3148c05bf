import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  RoomListQuery,
  RoomListResponse,
  RoomParams,
  RoomPutResponse,
  RoomRequest,
  RoomResponse,
  RoomStatusResponse,
} from '@lectern/protocol'
import type { AuthPolicy } from '../../http/auth-policy.ts'
import { bodyIsOptional } from '../../http/body.ts'
import { readPage, searchOf } from '../../platform/paging.ts'
import type { RoomPresenter } from '../present.ts'
import type { Rooms } from '../rooms.ts'
import type { Caller } from '../service-accounts.ts'
import { TOOL_COSTS, type ToolLimits } from '../tool-limits.ts'

interface RoomRoutesOptions {
  auth: AuthPolicy<Caller>
  rooms: Rooms
  present: RoomPresenter
  limits: ToolLimits
}

const roomSchema = { params: RoomParams, response: { 200: RoomResponse } }

/** Rooms of the partner (docs/partner-api.md#rooms). */
export const roomRoutes =
  ({ auth, rooms, present, limits }: RoomRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }

    app.put(
      '/rooms/:external_id',
      {
        config,
        preValidation: bodyIsOptional,
        schema: {
          operationId: 'createRoom',
          tag: 'Rooms',
          summary: 'Create a room, or get it if it exists',
          description:
            'Creates the room under your own `external_id`, or returns the existing one unchanged: it never updates. `created` says which, and `differing_fields` which fields of the request differ from the existing room. Repeat it after a timeout.',
          example: { response: { status: 'scheduled' } },
          params: RoomParams,
          body: RoomRequest,
          response: { 200: RoomPutResponse },
        },
      },
      async request => {
        const { clientId } = auth.callerOf(request)
        const found = await rooms.findOrCreate(clientId, request.params.external_id, request.body)
        return present.putRoom(found)
      },
    )

    app.get(
      '/rooms',
      {
        config,
        schema: {
          operationId: 'listRooms',
          tag: 'Rooms',
          summary: 'List rooms',
          description:
            'The rooms of your technical user, newest first, in pages. Filters that are given together all apply.',
          errors: ['rate_limited'],
          querystring: RoomListQuery,
          response: { 200: RoomListResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const { clientId } = caller
        const { status, teacher, student } = request.query
        const filter = { status, teacher, student, search: searchOf(request.query) }
        const { rows, next } = await readPage(
          request.query,
          page => rooms.list(clientId, filter, page),
          ({ roomId }) => roomId,
        )
        const live = await rooms.listLive(rows)
        return {
          result: 200 as const,
          rooms: rows.map(room => present.listed(room, live.has(room.tag))),
          next,
        }
      },
    )

    app.get(
      '/rooms/:external_id',
      {
        config,
        schema: {
          operationId: 'getRoom',
          tag: 'Rooms',
          summary: 'Get a room',
          description: 'The room with its current links.',
          errors: ['room_not_found'],
          example: { response: { status: 'scheduled' } },
          ...roomSchema,
        },
      },
      async request =>
        present.room(await rooms.find(auth.callerOf(request).clientId, request.params.external_id)),
    )

    app.patch(
      '/rooms/:external_id',
      {
        config,
        preValidation: bodyIsOptional,
        schema: {
          operationId: 'updateRoom',
          tag: 'Rooms',
          summary: 'Update a room',
          description:
            'Changes the fields of the request. Omitted fields keep their values, null clears one. Use the links of the response: changing the `external_id` of a person replaces the link of that role.',
          errors: ['room_not_found'],
          example: {
            request: { title: 'Algebra, lesson 12 (moved)' },
            response: { title: 'Algebra, lesson 12 (moved)', status: 'scheduled' },
          },
          ...roomSchema,
          body: RoomRequest,
        },
      },
      async request =>
        present.room(
          await rooms.change(auth.callerOf(request).clientId, request.params.external_id, request.body),
        ),
    )

    app.post(
      '/rooms/:external_id/cancel',
      {
        config,
        schema: {
          operationId: 'cancelRoom',
          tag: 'Rooms',
          summary: 'Cancel a room',
          description:
            'Ends a running call. From then on the links of the room answer 403 `room_cancelled`. It may be repeated.',
          errors: ['room_not_found'],
          example: { response: { status: 'cancelled' } },
          ...roomSchema,
        },
      },
      async request =>
        present.room(await rooms.cancel(auth.callerOf(request).clientId, request.params.external_id)),
    )

    app.post(
      '/rooms/:external_id/close',
      {
        config,
        schema: {
          operationId: 'closeRoom',
          tag: 'Rooms',
          summary: 'Close a room',
          description:
            'Ends a running call. From then on the links of the room answer 403 `room_closed`. It may be repeated.',
          errors: ['room_not_found'],
          example: { response: { status: 'closed' } },
          ...roomSchema,
        },
      },
      async request =>
        present.room(await rooms.close(auth.callerOf(request).clientId, request.params.external_id)),
    )

    app.get(
      '/rooms/:external_id/status',
      {
        config,
        schema: {
          operationId: 'getRoomStatus',
          tag: 'Rooms',
          summary: 'Get the status of a room',
          description:
            'The room, and whether a call is running: `live` is true and `status` is `active`. It may be polled every few seconds.',
          errors: ['room_not_found'],
          example: { response: { status: 'active', live: true } },
          params: RoomParams,
          response: { 200: RoomStatusResponse },
        },
      },
      async request => {
        const room = await rooms.find(auth.callerOf(request).clientId, request.params.external_id)
        return present.status(room, await rooms.isLive(room))
      },
    )
  }
