import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ensure, TranscriptionRequest, TranscriptListResponse, TranscriptResponse } from '@lectern/protocol'
import { Type } from 'typebox'
import { presentTranscript } from '../../records/partner-events.ts'
import type { Transcripts } from '../../records/transcripts.ts'
import type { ConferenceSessions } from '../../sessions/conference-sessions.ts'
import type { Auth } from '../authentication.ts'
import { docs } from '../openapi.ts'
import { transcribe } from './transcription.ts'

interface Parts {
  auth: Auth
  transcripts: Transcripts
  conferences: Pick<ConferenceSessions, 'startTranscription' | 'stopTranscription'>
}

const about = docs('Administration')
const Id = Type.String({ minLength: 1, maxLength: 128, format: 'text' })
const Done = Type.Object({ result: Type.Literal(200) })

/** Administration across all rooms. */
export const adminRoutes =
  ({ auth, transcripts, conferences }: Parts): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }

    app.get(
      '/admin/transcripts',
      {
        config,
        schema: {
          ...about('List transcripts'),
          querystring: Type.Object({ conference: Type.Optional(Id) }),
          response: { 200: TranscriptListResponse },
        },
      },
      async request => {
        const found = await transcripts.list(request.query.conference)
        return { result: 200 as const, transcripts: found.map(presentTranscript) }
      },
    )

    app.get(
      '/admin/transcripts/:job_id',
      {
        config,
        schema: {
          ...about('Get a transcript'),
          params: Type.Object({ job_id: Id }),
          response: { 200: TranscriptResponse },
        },
      },
      async request => {
        const transcript = await transcripts.find(request.params.job_id)
        ensure(transcript, 'transcript_not_found')
        const { text, segments } = transcript
        return { result: 200 as const, ...presentTranscript(transcript), text, segments }
      },
    )

    app.post(
      '/admin/conferences/:tag/transcription',
      {
        config,
        schema: {
          ...about('Start or stop a transcription'),
          params: Type.Object({ tag: Id }),
          body: TranscriptionRequest,
          response: { 200: Done },
        },
      },
      async request => {
        await transcribe(conferences, request.params.tag, request.body)
        return { result: 200 as const }
      },
    )
  }
