import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Done,
  ensure,
  RecordingLinkParams,
  RecordingLinkRequest,
  RecordingLinkResponse,
  StoredRecordingList,
  StoredRecordingParams,
  StoredRecordingQuery,
  StoredRecordingResponse,
  StoredTranscriptList,
  StoredTranscriptParams,
  StoredTranscriptQuery,
  StoredTranscriptResponse,
} from '@lectern/protocol'
import type { PartnerAuth } from '../../routes/authentication.ts'
import { TOOL_COSTS, type ToolLimits } from '../../tool-limits.ts'
import { idempotencyKey } from '../idempotency.ts'
import type { PartnerRecordings } from '../recordings/recordings.ts'
import { transcriptText, transcriptVtt } from '../recordings/transcript-formats.ts'
import { pageOf } from './page.ts'

interface PartnerRecordingRoutesOptions {
  auth: PartnerAuth
  recordings: PartnerRecordings
  limits: ToolLimits
}

const tag = 'Partner recordings'
const example = { path: { recording_id: 'job_5e8c9902207afaeb7120430c' } }
const shown = { id: 'job_5e8c9902207afaeb7120430c', status: 'completed' }
const ofTranscript = { path: { transcript_id: 'job_5e8c9902207afaeb7120430c' } }
const text = (type: string) => ({
  byHandler: { responses: { 200: { description: `The transcript, as \`${type}\`.` } } },
})

/** Recordings and transcripts of a partner's rooms (docs/partner-api-v2.md#recordings). */
export const partnerRecordingRoutes =
  ({
    auth: { service: auth, serviceOrOwner },
    recordings,
    limits,
  }: PartnerRecordingRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }

    app.get(
      '/recordings',
      {
        config: { auth: serviceOrOwner },
        schema: {
          operationId: 'listRoomRecordings',
          tag,
          summary: 'List recordings of your rooms',
          description: 'The recordings of all your rooms, or of one, oldest first, in pages.',
          errors: ['room_not_found', 'rate_limited'],
          querystring: StoredRecordingQuery,
          response: { 200: StoredRecordingList },
        },
      },
      async request => {
        const caller = serviceOrOwner.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const { clientId } = caller
        const { query } = request
        return { result: 200 as const, ...(await recordings.list(clientId, query.room, pageOf(query))) }
      },
    )

    app.get(
      '/recordings/:recording_id',
      {
        config,
        schema: {
          operationId: 'getRoomRecording',
          tag,
          summary: 'Get a recording',
          description: 'With its files.',
          errors: ['recording_not_found'],
          example: { ...example, response: shown },
          params: StoredRecordingParams,
          response: { 200: StoredRecordingResponse },
        },
      },
      async request => ({
        result: 200 as const,
        ...(await recordings.get(auth.callerOf(request).clientId, request.params.recording_id)),
      }),
    )

    app.delete(
      '/recordings/:recording_id',
      {
        config,
        schema: {
          operationId: 'deleteRoomRecording',
          tag,
          summary: 'Delete a recording',
          description:
            'With its files, its links, and the transcript that was made during it. `recording.deleted` follows when no file is left.',
          errors: ['recording_not_found'],
          example,
          params: StoredRecordingParams,
          response: { 200: Done },
        },
      },
      async request => {
        await recordings.remove(auth.callerOf(request).clientId, request.params.recording_id)
        return { result: 200 as const }
      },
    )

    app.post(
      '/recordings/:recording_id/links',
      {
        config,
        schema: {
          operationId: 'createRecordingLink',
          tag,
          summary: 'Create a link to a file',
          description:
            'Whoever has the link reads this one file until it expires or is revoked. Needs the scope `blob`, as a download does.',
          errors: [
            'recording_not_found',
            'blob_not_found',
            'permission_denied',
            'rate_limited',
            'idempotency_key_reused',
            'idempotency_key_in_use',
          ],
          example: {
            ...example,
            request: { path: 'recording.mp4', expires_in: 3_600, disposition: 'inline' },
            response: { id: 'lnk_5f0c2e7d9b31a84600d1c2e3' },
          },
          byHandler: { headers: idempotencyKey },
          params: StoredRecordingParams,
          body: RecordingLinkRequest,
          response: { 200: RecordingLinkResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        const { clientId, scopes } = caller
        ensure(scopes.includes('blob'), 'permission_denied', 'This token does not have the scope blob.')
        limits.enforce(caller, TOOL_COSTS.read)
        return recordings.createLink(clientId, request.params.recording_id, request.body)
      },
    )

    app.delete(
      '/recordings/:recording_id/links/:link_id',
      {
        config,
        schema: {
          operationId: 'revokeRecordingLink',
          tag,
          summary: 'Revoke a link to a file',
          description: 'It may be repeated.',
          errors: ['recording_not_found'],
          example: { path: { ...example.path, link_id: 'lnk_5f0c2e7d9b31a84600d1c2e3' } },
          params: RecordingLinkParams,
          response: { 200: Done },
        },
      },
      async request => {
        const { recording_id, link_id } = request.params
        await recordings.revokeLink(auth.callerOf(request).clientId, recording_id, link_id)
        return { result: 200 as const }
      },
    )

    app.get(
      '/transcripts',
      {
        config,
        schema: {
          operationId: 'listRoomTranscripts',
          tag,
          summary: 'List transcripts of a room',
          description: 'Oldest first, in pages, without their texts.',
          errors: ['room_not_found', 'rate_limited'],
          querystring: StoredTranscriptQuery,
          response: { 200: StoredTranscriptList },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const { clientId } = caller
        const { query } = request
        return {
          result: 200 as const,
          ...(await recordings.listTranscripts(clientId, query.room, pageOf(query))),
        }
      },
    )

    app.get(
      '/transcripts/:transcript_id',
      {
        config,
        schema: {
          operationId: 'getRoomTranscript',
          tag,
          summary: 'Get a transcript',
          description: 'With your own ids of the speakers.',
          errors: ['transcript_not_found', 'rate_limited'],
          example: { ...ofTranscript, response: shown },
          params: StoredTranscriptParams,
          response: { 200: StoredTranscriptResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const { clientId } = caller
        const { shown } = await recordings.transcript(clientId, request.params.transcript_id)
        return { result: 200 as const, ...shown }
      },
    )

    for (const [format, operationId, type, write] of [
      ['vtt', 'getRoomTranscriptAsWebVtt', 'text/vtt', transcriptVtt],
      ['txt', 'getRoomTranscriptAsText', 'text/plain', transcriptText],
    ] as const)
      app.get(
        `/transcripts/:transcript_id/${format}`,
        {
          config,
          schema: {
            operationId,
            tag,
            summary: `Get a transcript as ${type}`,
            description: 'With the names of the speakers.',
            errors: ['transcript_not_found', 'rate_limited'],
            example: ofTranscript,
            ...text(type),
            params: StoredTranscriptParams,
          },
        },
        async (request, reply) => {
          const caller = auth.callerOf(request)
          limits.enforce(caller, TOOL_COSTS.read)
          const { clientId } = caller
          const { transcript } = await recordings.transcript(clientId, request.params.transcript_id)
          return reply.type(`${type}; charset=utf-8`).send(write(transcript))
        },
      )
  }
