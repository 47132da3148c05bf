import { backoffMs } from '@lectern/common'
import { BLOB_ID_HEADER, type FilePurpose, UPLOADS_PATH, uploadPieceBytes } from '@lectern/protocol'

/** `@lectern/control-client/upload`: uploads a file to a conference (docs/uploads.md#participants). */

export interface UploadOptions {
  /** Empty in a page of the server. */
  serverUrl: string
  /** `refused`: the previous token was rejected. Null: there is none. */
  accessToken: (refused: boolean) => Promise<string | null>
  /** The tag. */
  conference?: string
  /** Instead, for a `chat_file`: a conversation. */
  chatId?: string
  purpose: FilePurpose
  name: string
  bytes: Blob
  /** Called with the bytes that the server has. */
  onProgress?: (sent: number) => void
  /** Cancels the upload, and removes what has arrived. */
  signal?: AbortSignal
  /** Replaces `fetch` in tests. */
  request?: typeof fetch
}

/** The server does not accept the file; the message is a sentence in English. */
export class UploadRefused extends Error {
  override name = 'UploadRefused'
  readonly status: number
  /** A code of docs/errors.md. */
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** How a proxy answers while its server cannot be reached. */
const WITHOUT_SERVER = [502, 504]
const VERSION = { 'tus-resumable': '1.0.0' }
const BODY_TYPE = { 'content-type': 'application/offset+octet-stream' }
const RETRY = { firstMs: 500, maxMs: 15_000, jitter: 0.5 }

/**
 * Uploads a file in pieces and returns its file_id. Broken connections and restarts of the server delay it only. Throws
 * UploadRefused, or the reason of the signal.
 */
export async function uploadFile(options: UploadOptions): Promise<string> {
  const { bytes, onProgress = () => {}, signal } = options
  const location = await begin(options)
  const fileId = location.slice(location.lastIndexOf('/') + 1)
  try {
    let offset: number | null = 0 // null: not known
    for (let sent = 0, failures = 0; ; ) {
      const answer: Response | null = await send(options, location, offset).catch(failureOf)
      signal?.throwIfAborted()
      if (answer?.headers.get(BLOB_ID_HEADER)) return fileId
      if (answer === null) {
        offset = null
        await pause(backoffMs(failures++, RETRY), signal)
        continue
      }
      offset = Number(answer.headers.get('upload-offset'))
      // An offset alone is no progress: the same piece may fail again.
      if (offset > sent) failures = 0
      sent = Math.max(sent, offset)
      onProgress(Math.min(offset, bytes.size))
    }
  } catch (error) {
    if (signal?.aborted) void call(options, `/api/v1.0/files/${fileId}`, { method: 'DELETE' }).catch(() => {})
    throw error
  }
}

/** Creates the upload; its address. */
async function begin(options: UploadOptions): Promise<string> {
  const { conference, chatId, purpose, name, bytes, signal } = options
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer()))
  const sha256 = [...hash].map(byte => byte.toString(16).padStart(2, '0')).join('')
  const metadata = Object.entries({
    ...(conference !== undefined && { conference }),
    ...(chatId !== undefined && { chat_id: chatId }),
    ...{ purpose, name, sha256 },
  })
    .map(([key, value]) => `${key} ${toBase64(value)}`)
    .join(',')
  const headers = { 'upload-length': String(bytes.size), 'upload-metadata': metadata }
  for (let failures = 0; ; ) {
    const init = { method: 'POST', headers, ...(signal && { signal }) }
    const answer = await call(options, UPLOADS_PATH, init).catch(() => null)
    signal?.throwIfAborted()
    if (answer?.ok) return answer.headers.get('location') ?? ''
    // An answer of the server itself is final here, even if the server would take the file later: the person decides.
    if (answer && !WITHOUT_SERVER.includes(answer.status)) throw await refusalOf(answer)
    await pause(backoffMs(failures++, RETRY), signal)
  }
}

/** Sends the piece at the offset; null: asks for the offset. Throws an answer that may be another one later. */
async function send(options: UploadOptions, location: string, offset: number | null): Promise<Response> {
  const { bytes, signal } = options
  const init: RequestInit =
    offset === null
      ? { method: 'HEAD' }
      : {
          method: 'PATCH',
          headers: { ...BODY_TYPE, 'upload-offset': String(offset) },
          body: bytes.slice(offset, offset + uploadPieceBytes(bytes.size)),
        }
  const answer = await call(options, location, { ...init, ...(signal && { signal }) })
  if (answer.ok) return answer
  const refusal = await refusalOf(answer)
  // Another offset than the server's may be known later; a session without space stays so.
  const isConflict = answer.status === 409 && refusal.code !== 'file_quota_exceeded'
  const mayHelpLater = answer.status >= 500 || isConflict || [408, 423, 429].includes(answer.status)
  throw mayHelpLater ? new Error(refusal.message) : refusal
}

/** Null: to be repeated. */
function failureOf(error: unknown): null {
  if (error instanceof UploadRefused) throw error
  return null
}

async function call(options: UploadOptions, path: string, init: RequestInit): Promise<Response> {
  const { serverUrl, accessToken, request = fetch } = options
  const attempt = async (refused: boolean) => {
    const authorization = `Bearer ${(await accessToken(refused)) ?? ''}`
    return request(serverUrl + path, { ...init, headers: { ...VERSION, ...init.headers, authorization } })
  }
  const answer = await attempt(false)
  return answer.status === 401 ? attempt(true) : answer
}

async function refusalOf(answer: Response): Promise<UploadRefused> {
  const body = (await answer.json().catch(() => ({}))) as { code?: string; message?: string }
  return new UploadRefused(answer.status, body.code ?? 'internal', body.message ?? `Status ${answer.status}.`)
}

const toBase64 = (text: string) => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

/** Rejects when the signal is aborted. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel)
      resolve()
    }, ms)
    signal?.addEventListener('abort', cancel)
  })
}
