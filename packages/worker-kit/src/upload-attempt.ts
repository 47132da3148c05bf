import { type FileHandle, open } from 'node:fs/promises'
import { BLOB_ID_HEADER, UPLOADS_PATH } from '@lectern/protocol'
import { DetailedError, type HttpResponse, Upload } from 'tus-js-client'
import type { UploadFile } from './ports.ts'
import type { Entry } from './upload-ledger.ts'

export interface AttemptOptions {
  serverUrl: string
  /** `refused`: the last one was not taken. Null: not now. */
  accessToken: (refused: boolean) => Promise<string | null>
  jobId: string
  signal: AbortSignal
}

/** Of one request, which has to be through before a server loses patience (30 s). */
const CHUNK_BYTES = 4 * 1024 * 1024
/** The server reads the whole file once more after the last byte. */
const STALLED_AFTER_MS = 180_000

/** The server said no, or the way to it was not there (status null). */
export class UploadFailure extends Error {
  override name = 'UploadFailure'
  readonly status: number | null
  readonly retryAfterMs: number

  constructor(status: number | null, says: string, retryAfterMs = 0) {
    super(says)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

interface Events {
  /** The upload was begun under this id, or was found there. */
  begun: (uploadId: string) => void
  /** More of it has arrived. */
  progressed: () => void
}

/**
 * Sends the rest of a file, once. Gives its blob id; rejects with UploadFailure, or with the signal's reason.
 * `refused`: the token of the attempt before was not taken.
 */
export async function sendOnce(
  { serverUrl, accessToken, jobId, signal }: AttemptOptions,
  { file, path, contentType }: UploadFile,
  { size, sha256, uploadId }: Entry,
  refused: boolean,
  events: Events,
): Promise<string> {
  const uploads = serverUrl + UPLOADS_PATH
  const handle = await open(file)
  const ended = new AbortController()
  let isFirst = true
  let watch: NodeJS.Timeout | undefined
  try {
    return await new Promise<string>((resolve, reject) => {
      const upload = new Upload(file as never, {
        // With both, a refused resumption would silently begin anew.
        endpoint: uploadId === undefined ? uploads : null,
        uploadUrl: uploadId === undefined ? null : `${uploads}/${uploadId}`,
        uploadSize: size,
        chunkSize: CHUNK_BYTES,
        retryDelays: null,
        storeFingerprintForResuming: false,
        metadata: { job_id: jobId, path, content_type: contentType, sha256 },
        fileReader: { openFile: async () => sourceOf(handle, size) },
        onBeforeRequest: async request => {
          const token = await accessToken(isFirst && refused)
          isFirst = false
          if (token === null) throw new Error('there is no token now')
          request.setHeader('Authorization', `Bearer ${token}`)
        },
        onUploadUrlAvailable: () => events.begun(upload.url?.split('/').at(-1) ?? ''),
        onProgress: () => watch?.refresh(),
        onChunkComplete: events.progressed,
        onSuccess: ({ lastResponse }) => {
          const blobId = lastResponse.getHeader(BLOB_ID_HEADER)
          if (blobId) resolve(blobId)
          else reject(new UploadFailure(null, 'the server does not say that the file is stored'))
        },
        onError: error => reject(toFailure(error)),
      })
      const stop = (reason: unknown) => {
        void upload.abort()
        reject(reason)
      }
      const stalled = new UploadFailure(null, 'nothing moves')
      watch = setTimeout(() => stop(stalled), STALLED_AFTER_MS).unref()
      signal.addEventListener('abort', () => stop(signal.reason), { signal: ended.signal })
      if (signal.aborted) stop(signal.reason)
      else upload.start()
    })
  } finally {
    clearTimeout(watch)
    ended.abort()
    await handle.close()
  }
}

/** tus-js-client's own reader leaves a file open with each request that breaks off. */
const sourceOf = (handle: FileHandle, size: number) => ({
  size,
  slice: async (start: number, end: number) => {
    const bytes = Buffer.allocUnsafe(Math.min(end, size) - start)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
    const value = Object.assign(bytes.subarray(0, bytesRead), { size: bytesRead })
    return { value, done: start + bytesRead >= size }
  },
  close: () => {},
})

function toFailure(error: Error): UploadFailure {
  const response = error instanceof DetailedError ? error.originalResponse : null
  // The sentence of tus-js-client holds headers of the request, and so the token.
  if (!response) return new UploadFailure(null, causeOf(error))
  const retryAfterMs = Number(response.getHeader('retry-after') ?? 0) * 1000
  return new UploadFailure(response.getStatus(), saidIn(response), retryAfterMs || 0)
}

const causeOf = (error: Error) => {
  const cause = error instanceof DetailedError ? error.causingError : error
  return (cause as NodeJS.ErrnoException | null)?.code ?? cause?.message ?? 'the connection broke'
}

function saidIn(response: HttpResponse): string {
  try {
    return String((JSON.parse(response.getBody()) as { message?: unknown }).message)
  } catch {
    return `status ${response.getStatus()}`
  }
}
