import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ensure, TranscriptionRequest, TranscriptListResponse, TranscriptResponse } from '@lectern/protocol'
import { Type } from 'typebox'
import type { Jwt } from '../../accounts/jwt.ts'
import type { Sessions } from '../../accounts/sessions.ts'
import { presentTranscript } from '../../records/news.ts'
import type { Transcripts } from '../../records/transcripts.ts'
import type { ConferenceSessions } from '../../sessions/conference-sessions.ts'
import { docs } from '../openapi.ts'
import { demandAdmin } from './door.ts'
import { transcribe } from './transcription.ts'

interface Parts {
  sessions: Sessions
  jwt: Jwt
  transcripts: Transcripts
  conferences: Pick<ConferenceSessions, 'startTranscription' | 'stopTranscription'>
}

const about = docs('Administration')
const Id = Type.String({ minLength: 1, maxLength: 128, format: 'text' })
const Done = Type.Object({ result: Type.Literal(200) })

/** What administrators do beyond the affairs of any one room. */
export const adminRoutes =
  (parts: Parts): FastifyPluginAsyncTypebox =>
  async app => {
    const { transcripts, conferences } = parts

    app.get(
      '/admin/transcripts',
      {
        schema: {
          ...about('List transcripts', 'user'),
          querystring: Type.Object({ conference: Type.Optional(Id) }),
          response: { 200: TranscriptListResponse },
        },
      },
      async request => {
        await demandAdmin(request, parts)
        const found = await transcripts.list(request.query.conference)
        return { result: 200 as const, transcripts: found.map(presentTranscript) }
      },
    )

    app.get(
      '/admin/transcripts/:job_id',
      {
        schema: {
          ...about('Get a transcript', 'user'),
          params: Type.Object({ job_id: Id }),
          response: { 200: TranscriptResponse },
        },
      },
      async request => {
        await demandAdmin(request, parts)
        const transcript = await transcripts.find(request.params.job_id)
        ensure(transcript, 'transcript_not_found')
        const { text, segments } = transcript
        return { result: 200 as const, ...presentTranscript(transcript), text, segments }
      },
    )

    app.post(
      '/admin/conferences/:tag/transcription',
      {
        schema: {
          ...about('Start or stop a transcription', 'user'),
          params: Type.Object({ tag: Id }),
          body: TranscriptionRequest,
          response: { 200: Done },
        },
      },
      async request => {
        await demandAdmin(request, parts)
        await transcribe(conferences, request.params.tag, request.body)
        return { result: 200 as const }
      },
    )
  }
