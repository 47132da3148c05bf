import { request as httpRequest, type IncomingMessage } from 'node:http'
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
const BODY_LIMIT_BYTES = 4 * 1024
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
      autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_TIMEOUT_MS,
      signal,
    }
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, connection)
    const late = Object.assign(new Error('no answer in time'), { code: 'TIMEOUT' })
    const timer = setTimeout(() => request.destroy(late), timeoutMs)
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
      return { is: 'unreachable', reason: (error as NodeJS.ErrnoException).code ?? 'NETWORK_ERROR' }
    } finally {
      clearTimeout(timer)
      request.destroy()
    }
  }
}

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
