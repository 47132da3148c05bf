import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ensure } from '@lectern/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Integration } from '../../../hooks.ts'
import type { Auth } from '../../../http/authentication.ts'
import type { BlobStore } from '../../ports.ts'
import { tagOfScope } from '../../scope.ts'
import { download, fileHeaders, fileResponse } from './file-operations.ts'
import { canDownload, canDownloadAny } from './policy.ts'
import type { SendBlob } from './send.ts'

interface BlobRoutesOptions {
  auth: Auth
  integration: Integration
  blobs: BlobStore
  sendBlob: SendBlob
}

interface DownloadRequest {
  Params: { blob_id: string }
  Querystring: { t?: string }
}

const schema = {
  params: Type.Object({ blob_id: Type.String() }),
  querystring: Type.Object({
    t: Type.Optional(
      Type.String({ description: 'An access token, for where no header can be sent. Addresses get logged.' }),
    ),
  }),
  response: fileResponse,
}

/** Files of recordings (docs/partner-api.md#files). HEAD has its own route: Fastify's would read the complete file. */
export const blobRoutes =
  ({ auth, integration, blobs, sendBlob }: BlobRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.download }
    const send = async (request: FastifyRequest<DownloadRequest>, reply: FastifyReply) => {
      const holder = auth.download.callerOf(request)
      ensure(canDownloadAny(holder), 'permission_denied', 'This needs the scopes integration:rooms and blob.')
      const blob = await blobs.find(request.params.blob_id)
      ensure(blob, 'blob_not_found')
      const tag = tagOfScope(blob.scope)
      const roomOwner = tag === null ? null : await integration.ownerOf(tag)
      ensure(canDownload(holder, blob, roomOwner), 'permission_denied')
      return sendBlob(request, reply, blob)
    }
    app.get<DownloadRequest>(
      '/blobs/:blob_id',
      {
        config,
        schema: {
          ...schema,
          ...download,
          operationId: 'downloadFile',
          tag: 'Recordings',
          summary: 'Download a file of a recording',
          description:
            'A service token needs the scopes `integration:rooms` and `blob`. To continue a download, send `Range` and `If-Range`.',
          errors: ['blob_not_found', 'precondition_failed', 'range_not_satisfiable', 'permission_denied'],
        },
        exposeHeadRoute: false,
      },
      send,
    )
    app.head<DownloadRequest>(
      '/blobs/:blob_id',
      {
        config,
        schema: {
          ...schema,
          ...fileHeaders,
          operationId: 'getFileHeaders',
          tag: 'Recordings',
          summary: 'Get size, type and name of a file',
          errors: ['blob_not_found', 'precondition_failed', 'permission_denied'],
        },
      },
      send,
    )
  }
