type Details = { status?: number; retryable?: boolean; retryAfterMs?: number | null; cause?: unknown }

/**
 * A call that did not succeed. The message is meant for people; programs look at `code` and `status`.
 *
 * Codes from the server are its own (`room_not_found`, `rate_limited`, …; `http_<status>` where it gave none).
 * Codes made here: `network_error`, `timeout`, `bad_answer`, `archive_unavailable`, `redirected`,
 * `invalid_argument`.
 */
export class LecternError extends Error {
  override name = 'LecternError'
  readonly code: string
  /** The HTTP status, or null where no answer came. */
  readonly status: number | null
  /** Whether the same call may succeed later (docs/partner-api.md#errors). The client has already tried again by then. */
  readonly retryable: boolean
  /** How long the server asked to wait, if it did. */
  readonly retryAfterMs: number | null

  constructor(code: string, message: string, details: Details = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.status = details.status ?? null
    this.retryable = details.retryable ?? false
    this.retryAfterMs = details.retryAfterMs ?? null
  }
}

/** Something that the server would refuse anyway; told before anything is sent. */
export const invalidArgument = (message: string) => new LecternError('invalid_argument', message)

/** A refusal as the server told it: `{result, code, message}`, or whatever a proxy in between made of it. */
export async function refusalOf(response: Response): Promise<LecternError> {
  const { status, headers } = response
  const body = await response.text()
  if (status >= 300 && status < 400) {
    return new LecternError('redirected', 'The server redirects elsewhere; check baseUrl.', { status })
  }
  const told = parseObject(body)
  return new LecternError(
    typeof told?.code === 'string' ? told.code : `http_${status}`,
    typeof told?.message === 'string' ? told.message : `The server answered with status ${status}.`,
    { status, retryable: status === 429 || status >= 500, retryAfterMs: retryAfter(headers) },
  )
}

/** The JSON object that the text holds, or null. */
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
