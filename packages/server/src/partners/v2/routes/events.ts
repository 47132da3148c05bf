import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { EventListResponse, EventQuery, type HostedEvent, UsageQuery, UsageResponse } from '@lectern/protocol'
import type { PartnerAuth } from '../../routes/authentication.ts'
import type { PartnerEventStore } from '../../stores/v2/events.ts'
import type { UsageStore } from '../../stores/v2/usage.ts'
import { TOOL_COSTS, type ToolLimits } from '../../tool-limits.ts'
import type { HostedRooms } from '../rooms/hosted-rooms.ts'
import { withoutSpeech } from './for-owners.ts'
import { orderedPageOf } from './page.ts'

interface EventRoutesOptions {
  auth: PartnerAuth
  rooms: HostedRooms
  events: Pick<PartnerEventStore, 'list'>
  usage: UsageStore
  limits: ToolLimits
}

const minutes = (ms: number) => Math.round(ms / 600) / 100

/** Events of the rooms of a partner, and their usage (docs/partner-api-v2.md#events). */
export const eventRoutes =
  ({
    auth: { serviceOrOwner: auth },
    rooms,
    events,
    usage,
    limits,
  }: EventRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }

    app.get(
      '/events',
      {
        config,
        schema: {
          operationId: 'listEvents',
          tag: 'Events',
          summary: 'List events',
          description:
            'The events of the last 30 days in order, whatever your endpoints received. Store `last` and pass it as `after`: a receiver that was down reads what it missed.',
          errors: ['room_not_found', 'rate_limited'],
          querystring: EventQuery,
          response: { 200: EventListResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const { type, room } = request.query
        const tag = room === undefined ? undefined : (await rooms.find(caller.clientId, room)).tag
        const page = orderedPageOf(request.query)
        const { events: shown, hasMore } = await events.list(caller.clientId, { type, tag }, page)
        const last = shown.at(-1)?.position ?? (page.order === 'desc' ? 0 : page.after)
        return {
          result: 200 as const,
          events: shown.map(({ body }) => withoutSpeech(caller, JSON.parse(body)) as HostedEvent),
          next: hasMore ? last : null,
          last,
        }
      },
    )

    app.get(
      '/usage',
      {
        config,
        schema: {
          operationId: 'getUsage',
          tag: 'Events',
          summary: 'Get the usage of a month',
          description: 'The usage of all rooms of your technical user, deleted ones included.',
          errors: ['rate_limited'],
          querystring: UsageQuery,
          response: { 200: UsageResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const { clientId } = caller
        const { month } = request.query
        const used = await usage.ofMonth(clientId, month)
        return {
          result: 200 as const,
          month,
          participant_minutes: minutes(used.participantMs),
          recorded_minutes: minutes(used.recordedMs),
          stored_bytes: await usage.storedBytes(clientId),
          webhooks: used.webhooks,
        }
      },
    )
  }
