import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  AdminTranscriptListResponse,
  AdminTranscriptQuery,
  AdminTranscriptResponse,
  Done,
  ensure,
  TranscriptionRequest,
} from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { parameter } from '../../../http/audit-rule.ts'
import type { Auth } from '../../../http/authentication.ts'
import { readPage } from '../../../platform/paging.ts'
import { presentTranscript } from '../../../records/partner-events.ts'
import type { TranscriptHead } from '../../../records/ports.ts'
import type { Transcripts } from '../../../records/transcripts.ts'
import type { AdministrationLists } from '../../stores/administration.ts'
import type { ConferenceNames } from '../conference-names.ts'
import { type LiveTranscription, transcribe } from '../transcription.ts'
import { Id } from './common.ts'

interface AdminTranscriptRoutesOptions {
  auth: Auth
  lists: Pick<AdministrationLists, 'transcripts'>
  names: ConferenceNames
  transcripts: Transcripts
  conferences: LiveTranscription
}

/** Transcripts of all conferences, and transcription in any of them. */
export const transcriptRoutes =
  ({
    auth,
    lists,
    names,
    transcripts,
    conferences,
  }: AdminTranscriptRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }
    const present = async (head: TranscriptHead) => ({
      ...presentTranscript(head),
      ...(await names.of(head.conferenceTag)),
    })

    app.get(
      '/transcripts',
      {
        config,
        schema: {
          operationId: 'adminListTranscripts',
          tag: 'Administration',
          summary: 'List transcripts',
          description: 'Last stored first, in pages, without text.',
          querystring: AdminTranscriptQuery,
          response: { 200: AdminTranscriptListResponse },
        },
      },
      async ({ query }) => {
        const conferenceTags = await names.select(query)
        const { rows, next } = await readPage(
          query,
          page => lists.transcripts({ conferenceTags }, page),
          ({ rowId }) => rowId,
        )
        return { result: 200 as const, transcripts: await Promise.all(rows.map(present)), next }
      },
    )

    app.get(
      '/transcripts/:job_id',
      {
        config: { ...config, audit: { action: 'transcript.read', target: parameter('job_id') } },
        schema: {
          operationId: 'adminGetTranscript',
          tag: 'Administration',
          summary: 'Get a transcript',
          description: 'A transcript with its text. Reading it is audited.',
          errors: ['transcript_not_found'],
          example: { response: { id: 'job_5e8c9902207afaeb7120430c' } },
          params: Type.Object({ job_id: Id }),
          response: { 200: AdminTranscriptResponse },
        },
      },
      async request => {
        const transcript = await transcripts.find(request.params.job_id)
        ensure(transcript, 'transcript_not_found')
        const { text, segments } = transcript
        return { result: 200 as const, ...(await present(transcript)), text, segments }
      },
    )

    app.post(
      '/conferences/:tag/transcription',
      {
        config: {
          ...config,
          audit: {
            action: ({ body }: FastifyRequest) =>
              `transcription.${(body as TranscriptionRequest).action}` as const,
            target: parameter('tag'),
          },
        },
        schema: {
          operationId: 'adminControlTranscription',
          tag: 'Administration',
          summary: 'Start or stop a transcription',
          description: 'In a conference with an open session.',
          errors: ['conference_not_found', 'transcription_unavailable', 'language_unavailable'],
          example: { request: { action: 'start', language: 'en' } },
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
