import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RoomCalendarQuery, RoomParams } from '@lectern/protocol'
import type { AuthPolicy } from '../../http/auth-policy.ts'
import { calendarResponses, sendCalendar } from '../../http/calendar.ts'
import type { RoomCalendar } from '../calendar.ts'
import type { Caller } from '../service-accounts.ts'
import { TOOL_COSTS, type ToolLimits } from '../tool-limits.ts'

interface CalendarRoutesOptions {
  auth: AuthPolicy<Caller>
  calendar: RoomCalendar
  limits: ToolLimits
  operationId: string
}

/** The calendar of a room, in both versions of the API (docs/partner-api.md#calendar). */
export const calendarRoutes =
  ({ auth, calendar, limits, operationId }: CalendarRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    app.get(
      '/rooms/:external_id/calendar.ics',
      {
        config: { auth },
        schema: {
          operationId,
          tag: 'Rooms',
          summary: 'Get a room as a calendar',
          description:
            'One event in iCalendar format (RFC 5545), to attach to a mail or to offer for download. Its UID stays, its SEQUENCE grows with changes, and a cancelled room has STATUS:CANCELLED.',
          errors: ['room_not_found', 'room_has_no_time', 'rate_limited'],
          byHandler: calendarResponses,
          params: RoomParams,
          querystring: RoomCalendarQuery,
        },
      },
      async (request, reply) => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const { clientId } = caller
        const { params, query } = request
        return sendCalendar(request, reply, await calendar.of(clientId, params.external_id, query.role))
      },
    )
  }
