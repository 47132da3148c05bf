import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RoomParams, SlidesQuery, SlidesResponse, SlidesStateResponse } from '@lectern/protocol'
import type { AuthPolicy } from '../../http/auth-policy.ts'
import type { PartnerSlides, Room } from '../ports.ts'
import type { Caller } from '../service-accounts.ts'
import { TOOL_COSTS, type ToolLimits } from '../tool-limits.ts'

interface SlideRoutesOptions {
  auth: AuthPolicy<Caller>
  findRoom: (clientId: number, externalId: string) => Promise<Room>
  slides: PartnerSlides
  limits: ToolLimits
  /** The operations, which differ between the versions of the API. */
  operations: { put: string; get: string; tag: 'Rooms' | 'Hosted rooms' }
}

const DEFAULT_NAME = 'Slides'

/** Slides of a room, put before the lesson or during it (docs/partner-api.md#slides). */
export const slideRoutes =
  ({ auth, findRoom, slides, limits, operations }: SlideRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }
    const { tag } = operations
    // The type follows from the content. The body is streamed, never buffered.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, body, done) => done(null, body))

    app.put(
      '/rooms/:external_id/slides',
      {
        config,
        // An upload that is refused early is not read to its end.
        onError: async (_request, reply) => void reply.header('connection', 'close'),
        schema: {
          operationId: operations.put,
          tag,
          summary: 'Put slides for a room',
          description:
            'The body is the document: PDF, PNG, JPEG or WebP; PPTX, PPSX, DOCX, ODP or ODT where the server has `office_slides_available`. Its pages come to the board of the room as they are converted, also while no call is running. It replaces earlier slides, except pages with drawings. It may be repeated.',
          errors: [
            'room_not_found',
            'payload_too_large',
            'unsupported_media_type',
            'conversion_unavailable',
            'file_quota_exceeded',
            'file_infected',
            'scan_unavailable',
            'insufficient_storage',
            'rate_limited',
          ],
          params: RoomParams,
          querystring: SlidesQuery,
          response: { 200: SlidesResponse },
          byHandler: { body: { type: 'application/pdf', description: 'The document.' } },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.slides)
        const { name, clientId } = caller
        const room = await findRoom(clientId, request.params.external_id)
        const length = request.headers['content-length']
        const upload = {
          userId: clientId,
          displayName: name,
          name: request.query.name ?? DEFAULT_NAME,
          size: length === undefined ? undefined : Number(length),
          body: (request.body ?? request.raw) as Readable,
        }
        return { result: 200 as const, slides: await slides.put(room.tag, upload) }
      },
    )

    app.get(
      '/rooms/:external_id/slides',
      {
        config,
        schema: {
          operationId: operations.get,
          tag,
          summary: 'Get the slides of a room',
          description:
            'The slides that were put last, with their `state` and the pages that are converted. It may be polled every few seconds.',
          errors: ['room_not_found'],
          params: RoomParams,
          response: { 200: SlidesStateResponse },
        },
      },
      async request => {
        const room = await findRoom(auth.callerOf(request).clientId, request.params.external_id)
        return { result: 200 as const, slides: await slides.find(room.tag) }
      },
    )
  }
