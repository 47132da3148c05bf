import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CalendarLinkResponse, CalendarParams, Done, NewCalendarLinkResponse } from '@lectern/protocol'
import type { Auth } from '../../../http/authentication.ts'
import { calendarResponses, sendCalendar } from '../../../http/calendar.ts'
import type { Limits } from '../../../platform/route-limits.ts'
import type { Calendars } from '../../calendar.ts'

interface CalendarRoutesOptions {
  calendars: Calendars
  auth: Auth
  limits: Limits
}

/** The personal calendar of a user (docs/http-api.md#your-calendar). */
export const calendarRoutes =
  ({ calendars, auth, limits }: CalendarRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.user }

    app.get(
      '/me/calendar',
      {
        config,
        schema: {
          operationId: 'getCalendarLink',
          tag: 'Accounts',
          summary: 'Get whether you have a calendar link',
          description: 'When the link was made. The link itself is shown only once.',
          response: { 200: CalendarLinkResponse },
        },
      },
      async request => ({
        result: 200 as const,
        created_at_ms: await calendars.linkOf(auth.user.callerOf(request)),
      }),
    )

    app.post(
      '/me/calendar',
      {
        config,
        ...limits('link'),
        schema: {
          operationId: 'createCalendarLink',
          tag: 'Accounts',
          summary: 'Create a calendar link',
          description: 'A secret address for calendar programs. It replaces the earlier one, which ends.',
          errors: ['permission_denied', 'rate_limited'],
          response: { 200: NewCalendarLinkResponse },
        },
      },
      async request => {
        const { url, createdAtMs } = await calendars.createLink(auth.user.callerOf(request))
        return { result: 200 as const, url, created_at_ms: createdAtMs }
      },
    )

    app.delete(
      '/me/calendar',
      {
        config,
        schema: {
          operationId: 'deleteCalendarLink',
          tag: 'Accounts',
          summary: 'Revoke your calendar link',
          description: 'Takes effect at once. May be repeated.',
          response: { 200: Done },
        },
      },
      async request => {
        await calendars.removeLink(auth.user.callerOf(request))
        return { result: 200 as const }
      },
    )

    app.get(
      '/calendars/:token/meetings.ics',
      {
        config: { auth: auth.none }, // the path contains the secret
        ...limits('link'),
        schema: {
          operationId: 'getCalendar',
          tag: 'Accounts',
          summary: 'Get the meetings of a calendar link',
          description:
            'Your planned meetings in iCalendar format (RFC 5545), and those that you are a member of.',
          errors: ['calendar_not_found', 'rate_limited'],
          byHandler: calendarResponses,
          params: CalendarParams,
        },
      },
      async (request, reply) => sendCalendar(request, reply, await calendars.read(request.params.token)),
    )
  }
