type Details = {
  status?: number
  retryable?: boolean
  retryAfterMs?: number | null
  requestId?: string | null
  cause?: unknown
}

/**
 * A failed call. The message is for people; programs use `code` and `status`.
 *
 * Codes of the server: `room_not_found`, `rate_limited`, …, or `http_<status>` for a response without a code.
 * Codes of the client: `network_error`, `timeout`, `bad_answer`, `archive_unavailable`, `redirected`,
 * `invalid_argument`.
 */
export class LecternError extends Error {
  override name = 'LecternError'
  readonly code: string
  /** The HTTP status, or null without a response. */
  readonly status: number | null
  /** Whether the same call may succeed later (docs/partner-api.md#errors). The client has already retried. */
  readonly retryable: boolean
  /** The delay that the server requested, if any. */
  readonly retryAfterMs: number | null
  /** The id of the request in the server's log, or null without a response. Name it to the operator. */
  readonly requestId: string | null

  constructor(code: string, message: string, details: Details = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.status = details.status ?? null
    this.retryable = details.retryable ?? false
    this.retryAfterMs = details.retryAfterMs ?? null
    this.requestId = details.requestId ?? null
  }
}

/** An argument that the server would reject; reported without a request. */
export const invalidArgument = (message: string): LecternError =>
  new LecternError('invalid_argument', message)

/** The error of a response: `{result, code, message}`, or any content of a proxy. */
export async function refusalOf(response: Response): Promise<LecternError> {
  const { status, headers } = response
  const body = await response.text()
  if (status >= 300 && status < 400) {
    return new LecternError('redirected', 'The server responded with a redirect; check baseUrl.', { status })
  }
  const content = parseObject(body)
  return new LecternError(
    typeof content?.code === 'string' ? content.code : `http_${status}`,
    typeof content?.message === 'string' ? content.message : `The server responded with status ${status}.`,
    {
      status,
      retryable: status === 429 || status >= 500,
      retryAfterMs: retryAfter(headers),
      requestId: headers.get('x-request-id'),
    },
  )
}

/** Parses a JSON object; null for any other text. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Retry-After in seconds or as a date (RFC 9110 §10.2.3). */
function retryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
