import { Readable } from 'node:stream'
import { BLOB_ID_HEADER, ensure, UPLOADS_PATH } from '@lectern/protocol'
import { MemoryLocker, Server } from '@tus/server'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '../../accounts/ports.ts'
import type { Uploads } from '../../records/uploads.ts'
import type { Auth } from '../authentication.ts'
import { toRefusal } from './refusals.ts'
import { TusBlobs } from './store.ts'

interface Parts {
  auth: Auth
  uploads: Uploads
}

interface Asked {
  Params: { upload_id?: string }
}

const BODY_TYPE = 'application/offset+octet-stream'
/** A request that stalls gives way to the next one of its upload. */
const GIVE_WAY_WITHIN_MS = 200

/** Workers bring files by tus 1.0.0 (core, creation); docs/uploads.md tells what is beyond the standard. */
export const uploadRoutes =
  ({ auth, uploads }: Parts): FastifyPluginAsync =>
  async app => {
    // Its checks come before any byte is read, so what it needs to know of the caller is remembered by request.
    const callers = new WeakMap<Request, User>()
    const failures = new WeakMap<Request, unknown>()
    const tusBlobs = new TusBlobs(uploads)
    const tus = new Server({
      path: UPLOADS_PATH,
      relativeLocation: true,
      datastore: tusBlobs,
      locker: new MemoryLocker(),
      lockDrainTimeout: GIVE_WAY_WITHIN_MS,
      onUploadCreate: async (request, upload) => {
        const user = callers.get(request)
        ensure(user && upload.size !== undefined, 'invalid_argument', 'Upload-Length is required.')
        tusBlobs.plan(upload, await uploads.plan(user, upload.size, upload.metadata))
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

    const answer = async (request: FastifyRequest<Asked>, reply: FastifyReply, user: User) => {
      const asked = toWeb(request)
      callers.set(asked, user)
      const response = await tus.handleWeb(asked)
      if (!response.ok) {
        if (asked.body) reply.header('connection', 'close') // nobody reads what is left of it
        throw toRefusal(failures.get(asked), response)
      }
      for (const [name, value] of response.headers) if (name.startsWith('upload-')) reply.header(name, value)
      const location = response.headers.get('location')
      if (location) reply.header('location', location)
      return reply.header('tus-resumable', '1.0.0').code(response.status).send()
    }

    const ensureTus = async ({ headers }: FastifyRequest) =>
      ensure(headers['tus-resumable'] === '1.0.0', 'invalid_argument', 'Send Tus-Resumable: 1.0.0.')

    app.addContentTypeParser(BODY_TYPE, (_request, body, done) => done(null, body))
    const options = {
      config: { auth: auth.user },
      schema: { hide: true }, // a protocol of its own
      preHandler: ensureTus,
    }

    app.post<Asked>('/uploads', options, async (request, reply) =>
      answer(request, reply, auth.user.callerOf(request)),
    )

    app.head<Asked>('/uploads/:upload_id', options, async (request, reply) => {
      const user = auth.user.callerOf(request)
      const { blob, received } = await uploads.progressFor(user, request.params.upload_id ?? '')
      // Whoever asks after the last byte may have missed its answer, or the server its end.
      if (received === blob.size) reply.header(BLOB_ID_HEADER, (await uploads.finish(blob.id)).id)
      return answer(request, reply, user)
    })

    app.patch<Asked>('/uploads/:upload_id', options, async (request, reply) => {
      const user = auth.user.callerOf(request)
      const { blob, received } = await uploads.progressFor(user, request.params.upload_id ?? '')
      ensure(received < blob.size, 'upload_conflict', 'The upload is whole already.')
      ensure(request.headers['content-type'] === BODY_TYPE, 'unsupported_media_type', `Send ${BODY_TYPE}.`)
      return answer(request, reply, user)
    })
  }

/** The request as the tus server takes it. Its body flows through; it is never held as a whole. */
function toWeb({ method, params, headers, body }: FastifyRequest<Asked>): Request {
  const stream = body instanceof Readable ? Readable.toWeb(body) : undefined
  const given = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  // Not the address as it came: the upload has to be the one that the caller was let in for.
  const url = `http://localhost${UPLOADS_PATH}/${encodeURIComponent(params.upload_id ?? '')}`
  const init = { method, headers: given, body: stream, duplex: 'half' }
  return new Request(url, init as unknown as RequestInit)
}
