import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { publicLookup, queryNameServers, type Resolve } from './address.ts'
import { isAllowedTarget } from './target.ts'

export type AttemptOutcome =
  | {
      is: 'answered'
      status: number
      /** The header, as sent. */
      retryAfter?: string | undefined
      /** The beginning of the response's body, unless that is empty. */
      body?: Buffer | undefined
    }
  | { is: 'unreachable'; reason: string }
  | { is: 'forbidden'; reason: string } // the url is not a permitted target

/**
 * Whether a later attempt may succeed: neither after other statuses of 4xx nor after redirects, which are not followed.
 * A status that HTTP does not have, as 600, counts as 5xx (RFC 9110, section 15).
 */
export function isRetryable(outcome: AttemptOutcome): boolean {
  switch (outcome.is) {
    case 'unreachable':
      return true
    case 'forbidden':
      return false
    case 'answered':
      return [408, 425, 429].includes(outcome.status) || outcome.status >= 500
  }
}

interface PostedRequest {
  headers: Record<string, string>
  body: string | Buffer
}

export type Post = (url: string, request: PostedRequest, signal: AbortSignal) => Promise<AttemptOutcome>

export interface PostSettings {
  /** Permits http and private addresses. */
  allowInsecure: boolean
  resolve?: Resolve
  timeoutMs?: number
}

const RESPONSE_TIMEOUT_MS = 15_000
/** The rate of a school's slow line: a transcript of hours has megabytes. */
const BODY_BYTES_PER_MS = 32
/** Receivers refuse a signature that is five minutes old (rule SIGNATURE-2). */
const BODY_TIMEOUT_MAX_MS = 240_000
const BODY_LIMIT_BYTES = 4 * 1024
const HEADERS_LIMIT_BYTES = 64 * 1024
/** The beginning of a response in which the status is searched if Node refuses to parse it. */
const STATUS_WITHIN_BYTES = 4 * 1024
/** Node's default of 250 ms fails for distant receivers with IPv4 and IPv6 addresses. */
const ADDRESS_ATTEMPT_TIMEOUT_MS = 3_000

/**
 * Posts to addresses that others chose, each request on its own connection, to public addresses only
 * (docs/webhooks.md#permitted-targets). Redirects are not followed; only the status and Retry-After are evaluated.
 */
export function createPost(settings: PostSettings): Post {
  const { allowInsecure, resolve = queryNameServers, timeoutMs = RESPONSE_TIMEOUT_MS } = settings
  const lookup = allowInsecure ? undefined : publicLookup(resolve)

  return async (address, { headers, body }, signal) => {
    const url = new URL(address)
    if (!allowInsecure && !isAllowedTarget(url)) return { is: 'forbidden', reason: 'FORBIDDEN_URL' }
    const connection = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)), 'User-Agent': 'Lectern' },
      agent: false, // avoids races with receivers that close idle connections
      lookup,
      maxHeaderSize: HEADERS_LIMIT_BYTES,
      autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_TIMEOUT_MS,
      signal,
    }
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, connection)
    const late = Object.assign(new Error('no answer in time'), { code: 'TIMEOUT' })
    const firstBytes = collectFirstBytes(request)
    const bodyMs = Math.min(Buffer.byteLength(body) / BODY_BYTES_PER_MS, BODY_TIMEOUT_MAX_MS)
    const timer = setTimeout(() => request.destroy(late), timeoutMs + bodyMs)
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.on('response', resolve).on('error', reject)
        request.on('close', () => reject(new Error('closed without an answer'))) // e.g. 101
        request.end(body)
      })
      const beginning = await readBeginning(response)
      const { statusCode = 0, headers } = response
      return { is: 'answered', status: statusCode, retryAfter: headers['retry-after'], body: beginning }
    } catch (error) {
      const { code = 'NETWORK_ERROR' } = error as NodeJS.ErrnoException
      const status = code.startsWith('HPE_') ? statusIn(firstBytes()) : undefined
      return status ? { is: 'answered', status } : { is: 'unreachable', reason: code }
    } finally {
      clearTimeout(timer)
      request.destroy()
    }
  }
}

function collectFirstBytes(request: ClientRequest): () => string {
  let received = Buffer.alloc(0)
  request.on('socket', socket => {
    socket.on('data', (chunk: Buffer) => {
      if (received.length < STATUS_WITHIN_BYTES) received = Buffer.concat([received, chunk])
    })
  })
  return () => received.toString('latin1', 0, STATUS_WITHIN_BYTES)
}

/** Behind interim responses (RFC 9110, section 15.2). */
const STATUS_LINE =
  /^(?:HTTP\/1\.\d 1\d\d[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n)*HTTP\/1\.\d ([2-9]\d\d)(?=[ \r\n])/

/** The receiver has decided, however malformed the rest of its response is. */
const statusIn = (text: string): number | undefined => Number(STATUS_LINE.exec(text)?.[1]) || undefined

/** Reads a short body to its end, so that the receiver sees no reset connection; others are cut off. */
async function readBeginning(response: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > BODY_LIMIT_BYTES) break
    }
  } catch {
    // The status has been received, which is all that counts.
  }
  return bytes === 0 ? undefined : Buffer.concat(chunks).subarray(0, BODY_LIMIT_BYTES)
}
