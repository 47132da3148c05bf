import { type ErrorCode, Refusal } from '@lectern/protocol'

/** Maps the statuses of @tus/server to codes of the catalogue. */
const CODES: Record<number, ErrorCode> = {
  400: 'invalid_argument',
  403: 'invalid_argument', // a header is missing
  404: 'blob_not_found',
  409: 'upload_conflict',
  413: 'payload_too_large',
  501: 'invalid_argument', // an unsupported extension
}

/** Maps a thrown error, or an error response of @tus/server, to a refusal. */
export function toRefusal(failure: unknown, { status }: { status: number }): Error {
  if (failure instanceof Error && !('status_code' in failure)) return failure
  const code = CODES[status]
  if (!code) return new Refusal('temporarily_unavailable')
  const message = (failure as { body?: string } | undefined)?.body?.trim()
  return new Refusal(code, code === 'invalid_argument' ? message || undefined : undefined)
}
