/**
 * Every refusal an outsider can be told over HTTP: one catalogue, so that a code means the same everywhere.
 * `docs/errors.md` lists them (a test keeps the two equal).
 */
export const errors = {
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  invalid_argument: { status: 400, message: 'Something in the request is not as it should be.' },
  no_participant_account: {
    status: 400,
    message: 'This link names no person; join as a guest instead.',
  },
  unauthenticated: { status: 401, message: 'A valid bearer token is required.' },
  token_expired: { status: 401, message: 'The token has expired; request a new one.' },
  invalid_credentials: { status: 401, message: 'The name or the secret is wrong.' },
  session_ended: { status: 401, message: 'This sign-in has ended; sign in again.' },
  account_deleted: { status: 401, message: 'This account was deleted.' },
  link_invalid: { status: 401, message: 'This link is not valid here.' },
  permission_denied: { status: 403, message: 'You may not do that here.' },
  guests_not_allowed: { status: 403, message: 'This server does not admit guests.' },
  link_rotated: { status: 403, message: 'This link was replaced by a newer one.' },
  room_closed: { status: 403, message: 'This room is closed.' },
  room_cancelled: { status: 403, message: 'This room was cancelled.' },
  plain_link_closed: { status: 403, message: 'This room is entered by personal links only.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  room_not_found: { status: 404, message: 'There is no such room.' },
  conference_not_found: { status: 404, message: 'There is no such conference.' },
  transcript_not_found: { status: 404, message: 'There is no such transcript.' },
  blob_not_found: { status: 404, message: 'There is no such file.' },
  method_not_allowed: { status: 405, message: 'This address does not take that method.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  upload_conflict: { status: 409, message: 'The upload is at another byte; ask where it is.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  uri_too_long: { status: 414, message: 'The address is too long.' },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as JSON, with Content-Type: application/json.',
  },
  range_not_satisfiable: { status: 416, message: 'Ask for one range of bytes that the file has.' },
  upgrade_required: { status: 426, message: 'This address speaks WebSocket.' },
  rate_limited: { status: 429, message: 'Too many requests; try again later.' },
  too_many_connections: { status: 429, message: 'Too many connections; close some, or try again later.' },
  headers_too_large: { status: 431, message: 'The request headers are too large.' },
  internal: { status: 500, message: 'Something went wrong on the server.' },
  not_configured: { status: 503, message: 'The server is not configured for this.' },
  temporarily_unavailable: { status: 503, message: 'The server cannot do this right now; try again.' },
  server_full: { status: 503, message: 'The server has no room for another connection; try again later.' },
  insufficient_storage: { status: 507, message: 'The server has no room left for this.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errors

/** A failure the caller may be told about. Anything else is a bug and is told as `internal`. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  /** When it makes sense to try again, if that is known. */
  readonly retryAfterSeconds: number | undefined

  /** `message` replaces the catalogue's sentence where a more exact one helps the caller. */
  constructor(code: ErrorCode, message?: string, options?: ErrorOptions & { retryAfterSeconds?: number }) {
    super(message ?? errors[code].message, options)
    this.code = code
    this.retryAfterSeconds = options?.retryAfterSeconds
  }

  get status(): number {
    return errors[this.code].status
  }
}

/** Throws the refusal unless the condition holds. */
export function ensure(condition: unknown, code: ErrorCode, message?: string): asserts condition {
  if (!condition) throw new Refusal(code, message)
}
