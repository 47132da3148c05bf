import { noteServerTime } from '../time/server-time.ts'

/** A response of the server, before it is interpreted. */
export type ApiResponse =
  | { is: 'ok'; body: unknown } // an object
  | { is: 'refused'; status: number; code: string | null; retryAfterMs: number | null }
  | { is: 'unreachable' } // no complete response of the server: offline, blocked, cut off or timed out

/** `token` is the access token of an account, for requests that only its owner may make. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: Record<string, unknown>
  token?: string
  headers?: Readonly<Record<string, string>>
}

const REQUEST_TIMEOUT_MS = 15_000

/** Sends requests to the server of this page, without cookies and referrer. */
export class Api {
  readonly #base: string

  constructor(base = '') {
    this.#base = base
  }

  get(path: string): Promise<ApiResponse> {
    return this.request({ method: 'GET', path })
  }

  post(path: string, body: Record<string, unknown>): Promise<ApiResponse> {
    return this.request({ method: 'POST', path, body })
  }

  async request({ method, path, body, token, headers }: ApiRequest): Promise<ApiResponse> {
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    try {
      const response = await fetch(this.#base + path, {
        method,
        headers: {
          ...headers,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
        signal: timeout,
      })
      return toApiResponse(response, parse(await response.text()))
    } catch {
      return { is: 'unreachable' }
    }
  }
}

function toApiResponse(response: Response, body: unknown): ApiResponse {
  // Else something answers for the server, such as the sign-in page of a hotel network.
  const isAnswer = typeof body === 'object' && body !== null
  if (isAnswer) noteServerTime(response.headers.get('date'))
  if (response.ok) return isAnswer ? { is: 'ok', body } : { is: 'unreachable' }
  const { status } = response
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now())
  return { is: 'refused', status, code: readCode(body), retryAfterMs }
}

/** Anything that is not JSON, such as the error page of a proxy, counts as no body. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The stable error code; null when a proxy answered instead of the server. */
function readCode(body: unknown): string | null {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null
  return typeof code === 'string' && /^[a-z0-9_]{1,64}$/.test(code) ? code : null
}

/** Converts seconds or an HTTP date to milliseconds from now. */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
