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
import { readPage, searchOf } from '../../paging.ts'
import type { RateLimiter } from '../../rate-limiter.ts'
import type { RoomPresenter } from '../present.ts'
import type { Rooms } from '../rooms.ts'
import type { Caller } from '../service-accounts.ts'
import { TOOL_COSTS } from '../tool-limits.ts'

interface RoomRoutesOptions {
  auth: AuthPolicy<Caller>
  rooms: Rooms
  present: RoomPresenter
  limits: RateLimiter<string>
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
        schema: { operationId: 'listRooms', querystring: RoomListQuery, response: { 200: RoomListResponse } },
      },
      async request => {
        const { name, clientId } = auth.callerOf(request)
        limits.enforce(name, TOOL_COSTS.read)
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
      { config, schema: { operationId: 'getRoom', ...roomSchema } },
      async request =>
        present.room(await rooms.find(auth.callerOf(request).clientId, request.params.external_id)),
    )

    app.patch(
      '/rooms/:external_id',
      {
        config,
        preValidation: bodyIsOptional,
        schema: { operationId: 'updateRoom', ...roomSchema, body: RoomRequest },
      },
      async request =>
        present.room(
          await rooms.change(auth.callerOf(request).clientId, request.params.external_id, request.body),
        ),
    )

    app.post(
      '/rooms/:external_id/cancel',
      { config, schema: { operationId: 'cancelRoom', ...roomSchema } },
      async request =>
        present.room(await rooms.cancel(auth.callerOf(request).clientId, request.params.external_id)),
    )

    app.post(
      '/rooms/:external_id/close',
      { config, schema: { operationId: 'closeRoom', ...roomSchema } },
      async request =>
        present.room(await rooms.close(auth.callerOf(request).clientId, request.params.external_id)),
    )

    app.get(
      '/rooms/:external_id/status',
      {
        config,
        schema: {
          operationId: 'getRoomStatus',
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
