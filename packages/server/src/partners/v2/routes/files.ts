import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ensure, FileLinkParams } from '@lectern/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { noAuth } from '../../../http/auth-policy.ts'
import type { BlobStore } from '../../../records/ports.ts'
import { inline } from '../../../records/routes/blobs/disposition.ts'
import { download, fileHeaders, fileResponse } from '../../../records/routes/blobs/file-operations.ts'
import type { SendBlob } from '../../../records/routes/blobs/send.ts'
import type { PartnerRecordings } from '../recordings/recordings.ts'

interface FileRoutesOptions {
  recordings: PartnerRecordings
  blobs: Pick<BlobStore, 'find'>
  sendBlob: SendBlob
}

interface FileRequest {
  Params: Static<typeof FileLinkParams>
}

const tag = 'Partner recordings'
const errors = ['link_invalid', 'blob_not_found', 'precondition_failed'] as const

/** The types that browsers play; anything else is saved, whoever made it. */
const PLAYABLE = /^(video|audio)\//

/** A browser that opens the link plays it on a page of its own, which loads the file from this address. */
const PLAYED = "default-src 'none'; media-src 'self'; frame-ancestors 'none'"

/**
 * Files by links (docs/partner-api-v2.md#recordings): the path holds the secret. Without a limit of requests, as all downloads: a
 * player sends many ranges, and the people of a school have one address.
 */
export const fileLinkRoutes =
  ({ recordings, blobs, sendBlob }: FileRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: noAuth }
    const send = async (request: FastifyRequest<FileRequest>, reply: FastifyReply) => {
      const { blobId, disposition } = await recordings.openLink(request.params.link_token)
      const blob = await blobs.find(blobId)
      ensure(blob, 'blob_not_found')
      const isShown = disposition === 'inline' && PLAYABLE.test(blob.contentType)
      const shown = { 'content-disposition': inline(blob.name), 'content-security-policy': PLAYED }
      return sendBlob(request, reply, blob, isShown ? shown : {})
    }
    app.get<FileRequest>(
      '/files/:link_token',
      {
        config,
        exposeHeadRoute: false,
        schema: {
          operationId: 'downloadLinkedFile',
          tag,
          summary: 'Download a file by a link',
          description: 'The `url` of `createRecordingLink`. It needs no access token.',
          errors: [...errors, 'range_not_satisfiable'],
          ...download,
          params: FileLinkParams,
          response: fileResponse,
        },
      },
      send,
    )
    app.head<FileRequest>(
      '/files/:link_token',
      {
        config,
        schema: {
          operationId: 'getLinkedFileHeaders',
          tag,
          summary: 'Get size, type and name of a linked file',
          errors,
          ...fileHeaders,
          params: FileLinkParams,
          response: fileResponse,
        },
      },
      send,
    )
  }
