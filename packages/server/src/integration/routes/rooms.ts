import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RoomParams, RoomRequest, RoomResponse, RoomStatusResponse } from '@lectern/protocol'
import { bodyIsOptional } from '../../http/body.ts'
import { docs } from '../../http/openapi.ts'
import type { RoomPresenter } from '../present.ts'
import type { Rooms } from '../rooms.ts'
import { callerOf } from './caller.ts'

interface Parts {
  rooms: Rooms
  present: RoomPresenter
}

const about = docs('Rooms')
const shown = { params: RoomParams, response: { 200: RoomResponse } }

/** The partner's rooms (docs/partner-api.md#rooms). */
export const roomRoutes =
  ({ rooms, present }: Parts): FastifyPluginAsyncTypebox =>
  async app => {
    app.put(
      '/rooms/:external_id',
      {
        preValidation: bodyIsOptional,
        schema: { ...about('Create a room, or get it if it exists', 'service'), ...shown, body: RoomRequest },
      },
      async request =>
        present.room(
          await rooms.findOrCreate(callerOf(request).clientId, request.params.external_id, request.body),
        ),
    )

    app.get(
      '/rooms/:external_id',
      { schema: { ...about('Get a room', 'service'), ...shown } },
      async request => present.room(await rooms.find(callerOf(request).clientId, request.params.external_id)),
    )

    app.patch(
      '/rooms/:external_id',
      {
        preValidation: bodyIsOptional,
        schema: { ...about('Update a room', 'service'), ...shown, body: RoomRequest },
      },
      async request =>
        present.room(
          await rooms.change(callerOf(request).clientId, request.params.external_id, request.body),
        ),
    )

    app.post(
      '/rooms/:external_id/cancel',
      { schema: { ...about('Cancel a room', 'service'), ...shown } },
      async request =>
        present.room(await rooms.cancel(callerOf(request).clientId, request.params.external_id)),
    )

    app.post(
      '/rooms/:external_id/close',
      { schema: { ...about('Close a room', 'service'), ...shown } },
      async request =>
        present.room(await rooms.close(callerOf(request).clientId, request.params.external_id)),
    )

    app.get(
      '/rooms/:external_id/status',
      {
        schema: {
          ...about('Get the status of a room', 'service'),
          params: RoomParams,
          response: { 200: RoomStatusResponse },
        },
      },
      async request => {
        const room = await rooms.find(callerOf(request).clientId, request.params.external_id)
        return present.status(room, await rooms.isLive(room))
      },
    )
  }
