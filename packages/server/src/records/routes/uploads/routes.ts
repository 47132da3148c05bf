import { Readable } from 'node:stream'
import { BLOB_ID_HEADER, ensure, Refusal, UPLOAD_MAX_BYTES, UPLOADS_PATH } from '@lectern/protocol'
import { type Locker, MemoryLocker, Server } from '@tus/server'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '../../../accounts/ports.ts'
import { noAuth } from '../../../http/auth-policy.ts'
import type { Auth } from '../../../http/authentication.ts'
import type { Operation } from '../../../http/openapi/operation.ts'
import type { Uploads } from '../../uploads.ts'
import { operations } from './operations.ts'
import { toRefusal } from './refusals.ts'
import { TusBlobs } from './store.ts'

interface UploadRoutesOptions {
  auth: Auth
  uploads: Uploads
}

interface UploadRequest {
  Params: { upload_id?: string }
}

const VERSION = '1.0.0'
const BODY_TYPE = 'application/offset+octet-stream'
/** A stalled request loses the lock to the next request of its upload. */
const LOCK_DRAIN_TIMEOUT_MS = 200

/** For a store whose calls may overlap: requests of one upload may also come to several servers. */
const noLocks: Locker = { newLock: () => ({ lock: async () => {}, unlock: async () => {} }) }

/** Uploads of workers and participants by tus 1.0.0 (core, creation). docs/uploads.md describes what differs from the standard. */
export const uploadRoutes =
  ({ auth, uploads }: UploadRoutesOptions): FastifyPluginAsync =>
  async app => {
    // The hooks of @tus/server receive only the request, so the caller is stored for each request.
    const callers = new WeakMap<Request, { user: User; address: string }>()
    const failures = new WeakMap<Request, unknown>()
    const tusBlobs = new TusBlobs(uploads)
    const tus = new Server({
      path: UPLOADS_PATH,
      relativeLocation: true,
      datastore: tusBlobs,
      locker: uploads.canOverlap ? noLocks : new MemoryLocker(),
      lockDrainTimeout: LOCK_DRAIN_TIMEOUT_MS,
      onUploadCreate: async (request, upload) => {
        const caller = callers.get(request)
        ensure(caller && upload.size !== undefined, 'invalid_argument', 'Upload-Length is required.')
        tusBlobs.plan(upload, await uploads.plan(caller.user, caller.address, upload.size, upload.metadata))
        return {}
      },
      onUploadFinish: async (_, { id }) => {
        await uploads.finish(id)
        return { headers: { [BLOB_ID_HEADER]: id } }
      },
      onResponseError: (request, error) => {
        failures.set(request, error)
        return undefined
      },
    })

    const forward = async (request: FastifyRequest<UploadRequest>, reply: FastifyReply, user: User) => {
      const webRequest = toWeb(request)
      callers.set(webRequest, { user, address: request.ip })
      const response = await tus.handleWeb(webRequest)
      if (!response.ok) {
        if (webRequest.body) reply.header('connection', 'close') // the rest of the body is not read
        throw toRefusal(failures.get(webRequest), response)
      }
      for (const [name, value] of response.headers) if (name.startsWith('upload-')) reply.header(name, value)
      const location = response.headers.get('location')
      if (location) reply.header('location', location)
      return reply.code(response.status).send()
    }

    app.addHook('onRequest', async (_request, reply) => void reply.header('tus-resumable', VERSION))
    const ensureTus = async ({ headers }: FastifyRequest, reply: FastifyReply) => {
      if (headers['tus-resumable'] === VERSION) return
      void reply.header('tus-version', VERSION)
      throw new Refusal('precondition_failed', `Send Tus-Resumable: ${VERSION}.`)
    }

    app.addContentTypeParser(BODY_TYPE, (_request, body, done) => done(null, body))
    const options = (operation: Operation) => ({
      config: { auth: auth.user },
      schema: operation,
      preHandler: ensureTus,
    })

    const description = {
      'tus-version': VERSION,
      'tus-extension': tusBlobs.extensions.join(','),
      'tus-max-size': String(UPLOAD_MAX_BYTES),
    }
    for (const url of ['/uploads', '/uploads/:upload_id'])
      app.options(url, { config: { auth: noAuth }, schema: { hide: true } }, async (_request, reply) =>
        reply.headers(description).code(204).send(),
      )

    app.post<UploadRequest>('/uploads', options(operations.createUpload), async (request, reply) =>
      forward(request, reply, auth.user.callerOf(request)),
    )

    app.head<UploadRequest>(
      '/uploads/:upload_id',
      options(operations.getUploadOffset),
      async (request, reply) => {
        const user = auth.user.callerOf(request)
        const { blob, received } = await uploads.progressFor(user, request.params.upload_id ?? '')
        // The client may have missed the last response, or the server may have stopped before the upload was finished.
        if (received === blob.size) reply.header(BLOB_ID_HEADER, (await uploads.finish(blob.id)).id)
        return forward(request, reply, user)
      },
    )

    app.patch<UploadRequest>(
      '/uploads/:upload_id',
      options(operations.appendToUpload),
      async (request, reply) => {
        const user = auth.user.callerOf(request)
        const { blob, received } = await uploads.progressFor(user, request.params.upload_id ?? '')
        ensure(received < blob.size, 'upload_conflict', 'The upload is already complete.')
        ensure(request.headers['content-type'] === BODY_TYPE, 'unsupported_media_type', `Send ${BODY_TYPE}.`)
        return forward(request, reply, user)
      },
    )
  }

/** The request for @tus/server. Its body is streamed, never buffered. */
function toWeb({ method, params, headers, body }: FastifyRequest<UploadRequest>): Request {
  const stream = body instanceof Readable ? Readable.toWeb(body) : undefined
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  // Not the original URL: the upload MUST be the one that the caller was authorized for.
  const url = `http://localhost${UPLOADS_PATH}/${encodeURIComponent(params.upload_id ?? '')}`
  const init = { method, headers: entries, body: stream, duplex: 'half' }
  return new Request(url, init as unknown as RequestInit)
}
