import { open } from 'node:fs/promises'
import { BLOB_ID_HEADER, UPLOADS_PATH, uploadPieceBytes } from '@lectern/protocol'
import { DetailedError, type HttpResponse, Upload } from 'tus-js-client'
import type { UploadFile } from './ports.ts'
import type { Entry } from './upload-ledger.ts'
import { UploadSource } from './upload-source.ts'

export interface AttemptOptions {
  serverUrl: string
  /** `refused`: the previous token was rejected. Null: none available now. */
  accessToken: (refused: boolean) => Promise<string | null>
  jobId: string
  signal: AbortSignal
}

/** Generous, because the server verifies the whole file after the last byte. */
const STALLED_AFTER_MS = 180_000

/** The server refused an upload, or could not be reached (status null). */
export class UploadFailure extends Error {
  override name = 'UploadFailure'
  readonly status: number | null
  readonly retryAfterMs: number

  constructor(status: number | null, message: string, retryAfterMs = 0) {
    super(message)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

interface Events {
  /** The upload was created or found under this id. */
  begun: (uploadId: string) => void
  /** The server has received more data. */
  progressed: () => void
}

/**
 * Sends the remainder of a file and returns its blob id. Rejects with UploadFailure or with the signal's reason.
 * `refused`: the token of the previous attempt was rejected.
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
  const source = new UploadSource(handle, size)
  const ended = new AbortController()
  let isFirst = true
  let stallTimer: NodeJS.Timeout | undefined
  try {
    return await new Promise<string>((resolve, reject) => {
      const upload = new Upload(file as never, {
        // With both set, tus would silently start over when resuming is refused.
        endpoint: uploadId === undefined ? uploads : null,
        uploadUrl: uploadId === undefined ? null : `${uploads}/${uploadId}`,
        uploadSize: size,
        chunkSize: uploadPieceBytes(size),
        retryDelays: null,
        storeFingerprintForResuming: false,
        metadata: { job_id: jobId, path, content_type: contentType, sha256 },
        fileReader: { openFile: async () => source },
        onBeforeRequest: async request => {
          const token = await accessToken(isFirst && refused)
          isFirst = false
          if (token === null) throw new Error('no access token available')
          request.setHeader('Authorization', `Bearer ${token}`)
        },
        onUploadUrlAvailable: () => events.begun(upload.url?.split('/').at(-1) ?? ''),
        onProgress: () => stallTimer?.refresh(),
        onChunkComplete: events.progressed,
        onSuccess: ({ lastResponse }) => {
          const blobId = lastResponse.getHeader(BLOB_ID_HEADER)
          if (blobId) resolve(blobId)
          else reject(new UploadFailure(null, 'the server did not confirm the file'))
        },
        onError: error => reject(toFailure(error)),
      })
      const stop = (reason: unknown) => {
        void upload.abort()
        reject(reason)
      }
      source.onError = error => stop(toFailure(error))
      const stalled = new UploadFailure(null, 'the upload has stalled')
      stallTimer = setTimeout(() => stop(stalled), STALLED_AFTER_MS).unref()
      signal.addEventListener('abort', () => stop(signal.reason), { signal: ended.signal })
      if (signal.aborted) stop(signal.reason)
      else upload.start()
    })
  } finally {
    clearTimeout(stallTimer)
    ended.abort()
    source.close()
    await handle.close()
  }
}

function toFailure(error: Error): UploadFailure {
  const response = error instanceof DetailedError ? error.originalResponse : null
  // The message of tus-js-client contains request headers, and so the token.
  if (!response) return new UploadFailure(null, causeOf(error))
  const retryAfterMs = Number(response.getHeader('retry-after') ?? 0) * 1000
  return new UploadFailure(response.getStatus(), messageOf(response), retryAfterMs || 0)
}

const causeOf = (error: Error) => {
  const cause = error instanceof DetailedError ? error.causingError : error
  return (cause as NodeJS.ErrnoException | null)?.code ?? cause?.message ?? 'the connection was lost'
}

function messageOf(response: HttpResponse): string {
  try {
    return String((JSON.parse(response.getBody()) as { message?: unknown }).message)
  } catch {
    return `status ${response.getStatus()}`
  }
}
