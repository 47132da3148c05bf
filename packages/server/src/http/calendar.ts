import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CALENDAR_TYPE } from '../platform/calendar.ts'
import { namesEntityTag } from '../platform/entity-tag.ts'

/** The answers of `sendCalendar` in the API document. */
export const calendarResponses = {
  responses: {
    200: { description: 'The calendar, as `text/calendar`.' },
    304: { description: 'If-None-Match names the calendar: it has not changed.' },
  },
}

/** Sends a calendar, or 304 to whom has it. */
export function sendCalendar(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  void reply.headers({ etag, 'cache-control': 'private, no-cache' })
  const known = request.headers['if-none-match']
  return known !== undefined && namesEntityTag(known, etag, 'weak')
    ? reply.code(304).send()
    : reply.type(CALENDAR_TYPE).send(text)
}
