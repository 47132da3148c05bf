import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ensure } from '@lectern/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Sessions } from '../../accounts/sessions.ts'
import type { Integration } from '../../hooks.ts'
import type { BlobStore } from '../../records/ports.ts'
import { tagOfScope } from '../../records/scope.ts'
import { bearerToken } from '../bearer.ts'
import { identifyHolder } from '../holder.ts'
import { binary, docs } from '../openapi.ts'
import { canDownload, canDownloadAny } from './policy.ts'
import { sendBlob } from './send.ts'

interface Parts {
  accounts: Accounts
  sessions: Sessions
  integration: Integration
  blobs: BlobStore
}

interface Asked {
  Params: { blob_id: string }
  Querystring: { t?: string }
}

const schema = {
  ...docs('Recordings')('Download a file of a recording', 'any'),
  params: Type.Object({ blob_id: Type.String() }),
  querystring: Type.Object({
    t: Type.Optional(
      Type.String({ description: 'An access token, for where no header can be sent. Addresses get logged.' }),
    ),
  }),
  response: {
    200: binary('The whole file.'),
    206: binary('The one range of bytes that the Range header asks for.'),
  },
}

/** Files of recordings (docs/partner-api.md#files). HEAD has a route of its own: Fastify's would read the whole file. */
export const blobRoutes =
  (parts: Parts): FastifyPluginAsyncTypebox =>
  async app => {
    const { integration, blobs } = parts
    const download = async (request: FastifyRequest<Asked>, reply: FastifyReply) => {
      const holder = await identifyHolder(parts, tokenOf(request))
      ensure(canDownloadAny(holder), 'permission_denied', 'This needs the scopes integration:rooms and blob.')
      const blob = await blobs.find(request.params.blob_id)
      ensure(blob, 'blob_not_found')
      const tag = tagOfScope(blob.scope)
      const roomOwner = tag === null ? null : await integration.ownerOf(tag)
      ensure(canDownload(holder, blob, roomOwner), 'permission_denied')
      return sendBlob(request, reply, blob, blobs)
    }
    app.get<Asked>('/blobs/:blob_id', { schema, exposeHeadRoute: false }, download)
    app.head<Asked>('/blobs/:blob_id', { schema: { ...schema, hide: true } }, download)
  }

/** The header is preferred (rule FILE-2). */
const tokenOf = (request: FastifyRequest<Asked>): string =>
  request.headers.authorization === undefined && request.query.t ? request.query.t : bearerToken(request)
