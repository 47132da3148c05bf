import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Done,
  LiveParticipantParams,
  LiveParticipantsResponse,
  MuteRequest,
  PlatformMessage,
  PlatformMessageResponse,
  RoomParams,
} from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import { bodyIsOptional } from '../../../http/body.ts'
import type { PartnerAuth } from '../../routes/authentication.ts'
import type { Caller } from '../../service-accounts.ts'
import { TOOL_COSTS, type ToolLimits } from '../../tool-limits.ts'
import { idempotencyKey } from '../idempotency.ts'
import type { LiveControl } from '../live.ts'
import type { HostedRooms } from '../rooms/hosted-rooms.ts'

interface LiveRoutesOptions {
  auth: PartnerAuth
  rooms: HostedRooms
  live: LiveControl
  limits: ToolLimits
}

const tag = 'Live'
const withKey = { byHandler: { headers: idempotencyKey } }
const keyErrors = ['idempotency_key_reused', 'idempotency_key_in_use'] as const

/** Actions of a platform in a call that runs (docs/partner-api-v2.md#live). */
export const liveRoutes =
  ({
    auth: { service: auth, serviceOrOwner },
    rooms,
    live,
    limits,
  }: LiveRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }
    const roomOf = (request: FastifyRequest, { clientId }: Caller = auth.callerOf(request)) => {
      const { external_id } = request.params as { external_id: string }
      return rooms.find(clientId, external_id)
    }

    app.get(
      '/rooms/:external_id/participants',
      {
        config: { auth: serviceOrOwner },
        schema: {
          operationId: 'listLiveParticipants',
          tag,
          summary: 'List who is inside',
          description: 'With your own ids of the people.',
          errors: ['room_not_found', 'rate_limited'],
          params: RoomParams,
          response: { 200: LiveParticipantsResponse },
        },
      },
      async request => {
        const caller = serviceOrOwner.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        return { result: 200 as const, ...(await live.list(await roomOf(request, caller))) }
      },
    )

    app.post(
      '/rooms/:external_id/participants/:participant_id/mute',
      {
        config,
        preValidation: bodyIsOptional,
        schema: {
          operationId: 'muteParticipant',
          tag,
          summary: 'Mute a participant',
          description: 'Stops what the participant sends of that kind; they may start it again.',
          errors: ['room_not_found', 'room_not_live', 'participant_not_found', ...keyErrors],
          example: { request: { source: 'audio' } },
          ...withKey,
          params: LiveParticipantParams,
          body: MuteRequest,
          response: { 200: Done },
        },
      },
      async request => {
        const { source = 'audio' } = request.body
        await live.mute(await roomOf(request), request.params.participant_id, source)
        return { result: 200 as const }
      },
    )

    app.post(
      '/rooms/:external_id/participants/:participant_id/remove',
      {
        config,
        schema: {
          operationId: 'removeParticipant',
          tag,
          summary: 'Remove a participant',
          description: 'On all devices of the person, until the session ends or a moderator readmits them.',
          errors: ['room_not_found', 'room_not_live', 'participant_not_found', ...keyErrors],
          ...withKey,
          params: LiveParticipantParams,
          response: { 200: Done },
        },
      },
      async request => {
        await live.remove(await roomOf(request), request.params.participant_id)
        return { result: 200 as const }
      },
    )

    for (const [verb, operationId, summary, refusals] of [
      ['start', 'startRoomRecording', 'Start a recording', ['recording_off']],
      ['stop', 'stopRoomRecording', 'Stop the recording', []],
    ] as const)
      app.post(
        `/rooms/:external_id/recording/${verb}`,
        {
          config,
          schema: {
            operationId,
            tag,
            summary,
            description:
              'It may be repeated. `recording.started` and `recording.ready` tell when it happens.',
            errors: ['room_not_found', 'room_not_live', ...refusals, ...keyErrors],
            ...withKey,
            params: RoomParams,
            response: { 200: Done },
          },
        },
        async request => {
          const room = await roomOf(request)
          await (verb === 'start' ? live.startRecording(room) : live.stopRecording(room))
          return { result: 200 as const }
        },
      )

    app.post(
      '/rooms/:external_id/messages',
      {
        config,
        schema: {
          operationId: 'sendRoomMessage',
          tag,
          summary: 'Send a message into the chat',
          description: 'Everybody inside sees it, as from `display_name`.',
          errors: ['room_not_found', 'room_not_live', 'chat_off', 'rate_limited', ...keyErrors],
          example: { request: { display_name: 'Demo School' }, response: { message_id: 812 } },
          ...withKey,
          params: RoomParams,
          body: PlatformMessage,
          response: { 200: PlatformMessageResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const { body, keyed } = request
        const message_id = await live.sendMessage(caller, await roomOf(request), body, keyed)
        return { result: 200 as const, message_id }
      },
    )

    app.post(
      '/rooms/:external_id/end',
      {
        config,
        schema: {
          operationId: 'endRoomSession',
          tag,
          summary: 'End the call',
          description: 'For everybody. The room stays open for the next one, which a teacher starts.',
          errors: ['room_not_found', ...keyErrors],
          ...withKey,
          params: RoomParams,
          response: { 200: Done },
        },
      },
      async request => {
        await live.end(await roomOf(request))
        return { result: 200 as const }
      },
    )
  }
