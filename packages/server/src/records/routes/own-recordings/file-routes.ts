import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ensure, FileLinkResponse, OwnRecordingFileParams } from '@lectern/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AuthSessions } from '../../../accounts/auth-sessions.ts'
import type { Jwt } from '../../../accounts/jwt.ts'
import type { Limits } from '../../../platform/route-limits.ts'
import type { OwnRecordings } from '../../own-recordings.ts'
import type { BlobStore } from '../../ports.ts'
import { download, fileHeaders, fileResponse } from '../blobs/file-operations.ts'
import type { SendBlob } from '../blobs/send.ts'
import { createFileLinks } from './file-links.ts'

interface OwnFileRoutesOptions {
  jwt: Jwt
  sessions: AuthSessions
  ownRecordings: OwnRecordings
  blobs: BlobStore
  sendBlob: SendBlob
  limits: Limits
}

interface FileRequest {
  Params: { recording_id: string; blob_id: string }
}

/** Files of the user's recordings, and links to them. */
export const ownFileRoutes =
  ({
    jwt,
    sessions,
    ownRecordings,
    blobs,
    sendBlob,
    limits,
  }: OwnFileRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const links = createFileLinks({ jwt, sessions })

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
