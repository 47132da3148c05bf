import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Done,
  ensure,
  FileLinkResponse,
  OWN_RECORDINGS_DEFAULT,
  OwnRecordingFileParams,
  OwnRecordingListResponse,
  OwnRecordingParams,
  OwnRecordingQuery,
  OwnRecordingResponse,
  OwnTranscriptQuery,
  OwnTranscriptResponse,
  toWebVtt,
} from '@lectern/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Jwt } from '../../accounts/jwt.ts'
import type { Sessions } from '../../accounts/sessions.ts'
import type { OwnRecordings } from '../../records/own-recordings.ts'
import type { BlobStore } from '../../records/ports.ts'
import type { Limits } from '../../route-limits.ts'
import type { Auth } from '../authentication.ts'
import { attachment } from '../blobs/disposition.ts'
import { download, fileHeaders, fileResponse } from '../blobs/file-operations.ts'
import type { SendBlob } from '../blobs/send.ts'
import { createFileLinks } from './file-links.ts'
import { presentOwnDetails, presentOwnRecording, presentUnfinished } from './present.ts'
import { phrasesOf, presentOwnTranscript } from './transcript.ts'

interface OwnRecordingRoutesOptions {
  auth: Auth
  jwt: Jwt
  sessions: Sessions
  ownRecordings: OwnRecordings
  blobs: BlobStore
  sendBlob: SendBlob
  limits: Limits
}

interface FileRequest {
  Params: { recording_id: string; blob_id: string }
}

/** Recordings of the conferences that the user created. */
export const ownRecordingRoutes =
  ({
    auth,
    jwt,
    sessions,
    ownRecordings,
    blobs,
    sendBlob,
    limits,
  }: OwnRecordingRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.user }
    const links = createFileLinks({ jwt, sessions })

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
          example: { response: { next: null } },
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

    app.post(
      '/me/recordings/:recording_id/files/:blob_id/link',
      {
        config: { auth: links.signedIn },
        ...limits('link'),
        schema: {
          operationId: 'createFileLink',
          tag: 'Own recordings',
          summary: 'Create a short-lived link to a file of your recording',
          description:
            'For elements that cannot send a header, such as `<video>`. The link opens this one file, for ten minutes, and ends with the sign-in.',
          errors: ['recording_not_found', 'blob_not_found', 'rate_limited'],
          example: {
            response: {
              url: '/api/v1.0/me/recordings/job_5e8c9902207afaeb7120430c/files/b_5f0c2e7d41a84c0f9d3b6a1e8c72f015?link=eyJhbGciOiJIUzI1NiJ9.eyJibG9iIjoiYl81ZiJ9.9xQw',
              expires_in: 600,
            },
          },
          params: OwnRecordingFileParams,
          response: { 200: FileLinkResponse },
        },
      },
      async request => {
        const { user, sessionId } = links.signedIn.callerOf(request)
        const { recording_id, blob_id } = request.params
        await ownRecordings.findFile(user.id, recording_id, blob_id)
        const link = await links.create(sessionId, blob_id)
        const path = `/api/v1.0/me/recordings/${encodeURIComponent(recording_id)}/files/${blob_id}`
        return { result: 200 as const, url: `${path}?link=${link}`, expires_in: links.expiresIn }
      },
    )

    const file = {
      config: { auth: links.file },
      schema: {
        params: OwnRecordingFileParams,
        querystring: Type.Object({
          link: Type.Optional(
            Type.String({ description: 'Part of a link to this file, instead of an access token.' }),
          ),
        }),
        response: fileResponse,
      },
    }
    const send = async (request: FastifyRequest<FileRequest>, reply: FastifyReply) => {
      const { recording_id, blob_id } = request.params
      await ownRecordings.findFile(links.file.callerOf(request).id, recording_id, blob_id)
      const blob = await blobs.find(blob_id)
      ensure(blob, 'blob_not_found')
      return sendBlob(request, reply, blob)
    }
    const url = '/me/recordings/:recording_id/files/:blob_id'
    app.get<FileRequest>(
      url,
      {
        ...file,
        schema: {
          ...file.schema,
          ...download,
          operationId: 'downloadOwnFile',
          tag: 'Own recordings',
          summary: 'Download a file of your recording',
          description: 'Authorised by an access token or by a link.',
          errors: ['recording_not_found', 'blob_not_found', 'precondition_failed', 'range_not_satisfiable'],
        },
        exposeHeadRoute: false,
      },
      send,
    )
    app.head<FileRequest>(
      url,
      {
        ...file,
        schema: {
          ...file.schema,
          ...fileHeaders,
          operationId: 'getOwnFileHeaders',
          tag: 'Own recordings',
          summary: 'Get size, type and name of a file of your recording',
          errors: ['recording_not_found', 'blob_not_found', 'precondition_failed'],
        },
      },
      send,
    )
  }
