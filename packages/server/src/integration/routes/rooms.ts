import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RoomParams, RoomRequest, RoomResponse, RoomStatusResponse } from '@lectern/protocol'
import type { AuthPolicy } from '../../http/auth-policy.ts'
import { bodyIsOptional } from '../../http/body.ts'
import { docs } from '../../http/openapi.ts'
import type { RoomPresenter } from '../present.ts'
import type { Rooms } from '../rooms.ts'
import type { Caller } from '../service-accounts.ts'

interface Parts {
  auth: AuthPolicy<Caller>
  rooms: Rooms
  present: RoomPresenter
}

const about = docs('Rooms')
const roomSchema = { params: RoomParams, response: { 200: RoomResponse } }

/** Rooms of the partner (docs/partner-api.md#rooms). */
export const roomRoutes =
  ({ auth, rooms, present }: Parts): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }

    app.put(
      '/rooms/:external_id',
      {
        config,
        preValidation: bodyIsOptional,
        schema: { ...about('Create a room, or get it if it exists'), ...roomSchema, body: RoomRequest },
      },
      async request =>
        present.room(
          await rooms.findOrCreate(auth.callerOf(request).clientId, request.params.external_id, request.body),
        ),
    )

    app.get(
      '/rooms/:external_id',
      { config, schema: { ...about('Get a room'), ...roomSchema } },
      async request =>
        present.room(await rooms.find(auth.callerOf(request).clientId, request.params.external_id)),
    )

    app.patch(
      '/rooms/:external_id',
      {
        config,
        preValidation: bodyIsOptional,
        schema: { ...about('Update a room'), ...roomSchema, body: RoomRequest },
      },
      async request =>
        present.room(
          await rooms.change(auth.callerOf(request).clientId, request.params.external_id, request.body),
        ),
    )

    app.post(
      '/rooms/:external_id/cancel',
      { config, schema: { ...about('Cancel a room'), ...roomSchema } },
      async request =>
        present.room(await rooms.cancel(auth.callerOf(request).clientId, request.params.external_id)),
    )

    app.post(
      '/rooms/:external_id/close',
      { config, schema: { ...about('Close a room'), ...roomSchema } },
      async request =>
        present.room(await rooms.close(auth.callerOf(request).clientId, request.params.external_id)),
    )

    app.get(
      '/rooms/:external_id/status',
      {
        config,
        schema: {
          ...about('Get the status of a room'),
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
