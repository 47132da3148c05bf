import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Done,
  OWN_RECORDINGS_DEFAULT,
  OwnRecordingListResponse,
  OwnRecordingParams,
  OwnRecordingQuery,
  OwnRecordingResponse,
  OwnTranscriptQuery,
  OwnTranscriptResponse,
  toWebVtt,
} from '@lectern/protocol'
import type { Auth } from '../../../http/authentication.ts'
import type { OwnRecordings } from '../../own-recordings.ts'
import { attachment } from '../blobs/disposition.ts'
import { presentOwnDetails, presentOwnRecording, presentUnfinished } from './present.ts'
import { phrasesOf, presentOwnTranscript } from './transcript.ts'

interface OwnRecordingRoutesOptions {
  auth: Auth
  ownRecordings: OwnRecordings
}

/** Recordings of the conferences that the user created. */
export const ownRecordingRoutes =
  ({ auth, ownRecordings }: OwnRecordingRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.user }

    app.get(
      '/me/recordings',
      {
        config,
        schema: {
          operationId: 'listOwnRecordings',
          tag: 'Own recordings',
          summary: 'List your recordings',
          description:
            'Recordings of conferences that you created, last finished first, in pages. The first page has unfinished ones, too.',
          querystring: OwnRecordingQuery,
          response: { 200: OwnRecordingListResponse },
        },
      },
      async request => {
        const { id: ownerId } = auth.user.callerOf(request)
        const { before, limit: limitText = String(OWN_RECORDINGS_DEFAULT) } = request.query
        const limit = Number(limitText)
        // Unfinished jobs first: one that finishes in between appears twice rather than not at all.
        const unfinished = before === undefined ? await ownRecordings.listUnfinished(ownerId) : []
        const found = await ownRecordings.list({
          ownerId,
          before: before === undefined ? undefined : Number(before),
          limit: limit + 1,
        })
        const page = found.slice(0, limit)
        return {
          result: 200 as const,
          recordings: page.map(presentOwnRecording),
          next: found.length > limit ? String(page.at(-1)?.position) : null,
          unfinished: unfinished
            .filter(({ jobId }) => !page.some(each => each.jobId === jobId))
            .map(presentUnfinished),
        }
      },
    )

    app.get(
      '/me/recordings/:recording_id',
      {
        config,
        schema: {
          operationId: 'getOwnRecording',
          tag: 'Own recordings',
          summary: 'Get one of your recordings',
          description: 'A recording with its files.',
          errors: ['recording_not_found'],
          params: OwnRecordingParams,
          response: { 200: OwnRecordingResponse },
        },
      },
      async request => {
        const { id } = auth.user.callerOf(request)
        return presentOwnDetails(await ownRecordings.find(id, request.params.recording_id))
      },
    )

    app.get(
      '/me/recordings/:recording_id/transcript',
      {
        config,
        schema: {
          operationId: 'getOwnTranscript',
          tag: 'Own recordings',
          summary: 'Get the transcript of your recording',
          description:
            'The phrases of every transcription that overlaps the recording, in pages of at most 20,000.',
          errors: ['recording_not_found'],
          params: OwnRecordingParams,
          querystring: OwnTranscriptQuery,
          response: { 200: OwnTranscriptResponse },
        },
      },
      async request => {
        const { id } = auth.user.callerOf(request)
        const { recording, runs } = await ownRecordings.transcripts(id, request.params.recording_id)
        return presentOwnTranscript(recording, runs, Number(request.query.from ?? 0))
      },
    )

    app.get(
      '/me/recordings/:recording_id/transcript.vtt',
      {
        config,
        schema: {
          operationId: 'downloadOwnCaptions',
          tag: 'Own recordings',
          summary: 'Download the transcript of your recording as WebVTT captions',
          description: 'All phrases, with the speakers as voices.',
          errors: ['recording_not_found'],
          params: OwnRecordingParams,
          response: {
            200: { description: 'All phrases.', content: { 'text/vtt': { schema: { type: 'string' } } } },
          },
        },
      },
      async (request, reply) => {
        const { id } = auth.user.callerOf(request)
        const { recording, runs } = await ownRecordings.transcripts(id, request.params.recording_id)
        const headers = {
          'cache-control': 'private, no-cache',
          'content-disposition': attachment('transcript.vtt'),
        }
        return reply
          .headers(headers)
          .type('text/vtt; charset=utf-8')
          .send(toWebVtt(phrasesOf(recording, runs)))
      },
    )

    app.delete(
      '/me/recordings/:recording_id',
      {
        config,
        schema: {
          operationId: 'deleteOwnRecording',
          tag: 'Own recordings',
          summary: 'Delete your recording, its files and its transcript',
          description:
            'Removes the recording from the list and from the archive at once; the files follow. It may be repeated.',
          errors: ['recording_not_found'],
          params: OwnRecordingParams,
          response: { 200: Done },
        },
      },
      async request => {
        await ownRecordings.remove(auth.user.callerOf(request).id, request.params.recording_id)
        return { result: 200 as const }
      },
    )
  }
