import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Done,
  HostedRoomListResponse,
  HostedRoomPutResponse,
  HostedRoomQuery,
  HostedRoomRequest,
  HostedRoomResponse,
  RoomParams,
} from '@lectern/protocol'
import { bodyIsOptional } from '../../../http/body.ts'
import type { PartnerAuth } from '../../routes/authentication.ts'
import { TOOL_COSTS, type ToolLimits } from '../../tool-limits.ts'
import type { HostedRooms } from '../rooms/hosted-rooms.ts'
import { withoutLink } from './for-owners.ts'
import { orderedPageOf } from './page.ts'

interface HostedRoomRoutesOptions {
  auth: PartnerAuth
  rooms: HostedRooms
  limits: ToolLimits
}

const tag = 'Hosted rooms'
const example = { response: { status: 'scheduled' } }

/** Rooms of version 2 (docs/partner-api-v2.md#rooms). */
export const hostedRoomRoutes =
  ({
    auth: { service: auth, serviceOrOwner },
    rooms,
    limits,
  }: HostedRoomRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }
    const params = RoomParams

    app.put(
      '/rooms/:external_id',
      {
        config,
        preValidation: bodyIsOptional,
        schema: {
          operationId: 'putHostedRoom',
          tag,
          summary: 'Create or change a room',
          description:
            'Creates the room under your own `external_id`, or changes what the request has of an existing one. It may be repeated.',
          errors: ['room_not_found'],
          example: { response: { status: 'scheduled', created: true } },
          params,
          body: HostedRoomRequest,
          response: { 200: HostedRoomPutResponse },
        },
      },
      async request => {
        const { clientId } = auth.callerOf(request)
        const { room, created } = await rooms.put(clientId, request.params.external_id, request.body)
        return { result: 200 as const, ...(await rooms.present(room)), created }
      },
    )

    app.get(
      '/rooms',
      {
        config: { auth: serviceOrOwner },
        schema: {
          operationId: 'listHostedRooms',
          tag,
          summary: 'List rooms with their settings',
          description: 'The rooms of your technical user, oldest first or in the `order`, in pages.',
          errors: ['rate_limited'],
          querystring: HostedRoomQuery,
          response: { 200: HostedRoomListResponse },
        },
      },
      async request => {
        const caller = serviceOrOwner.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const { search, status } = request.query
        const found = await rooms.list(caller.clientId, { search, status }, orderedPageOf(request.query))
        const shown = found.rooms.map(each => withoutLink(caller, each))
        return { result: 200 as const, rooms: shown, next: found.next }
      },
    )

    app.get(
      '/rooms/:external_id',
      {
        config: { auth: serviceOrOwner },
        schema: {
          operationId: 'getHostedRoom',
          tag,
          summary: 'Get a room with its settings',
          description: 'The room, and whether a call is running in it.',
          errors: ['room_not_found'],
          example,
          params,
          response: { 200: HostedRoomResponse },
        },
      },
      async request => {
        const caller = serviceOrOwner.callerOf(request)
        const room = await rooms.find(caller.clientId, request.params.external_id)
        return { result: 200 as const, ...withoutLink(caller, await rooms.present(room)) }
      },
    )

    app.patch(
      '/rooms/:external_id',
      {
        config,
        preValidation: bodyIsOptional,
        schema: {
          operationId: 'updateHostedRoom',
          tag,
          summary: 'Change a room',
          description:
            'Changes what the request has. A session that runs keeps its settings until somebody joins.',
          errors: ['room_not_found'],
          example,
          params,
          body: HostedRoomRequest,
          response: { 200: HostedRoomResponse },
        },
      },
      async request => {
        const { clientId } = auth.callerOf(request)
        const room = await rooms.change(clientId, request.params.external_id, request.body)
        return { result: 200 as const, ...(await rooms.present(room)) }
      },
    )

    app.delete(
      '/rooms/:external_id',
      {
        config,
        schema: {
          operationId: 'deleteHostedRoom',
          tag,
          summary: 'Delete a room with everything in it',
          description:
            'Ends a running call and all links at once. Recordings, transcripts, chat, people and events are deleted afterwards; then `room.deleted` follows.',
          errors: ['room_not_found'],
          params,
          response: { 200: Done },
        },
      },
      async request => {
        await rooms.remove(auth.callerOf(request).clientId, request.params.external_id)
        return { result: 200 as const }
      },
    )
  }
