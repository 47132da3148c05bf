import { type ErrorCode, Refusal } from '@lectern/protocol'

/** What @tus/server refuses by itself, in our words. */
const CODES: Record<number, ErrorCode> = {
  400: 'invalid_argument',
  403: 'invalid_argument', // a header is missing
  404: 'blob_not_found',
  409: 'upload_conflict',
  413: 'payload_too_large',
  501: 'invalid_argument', // an extension that is not there
}

/** Of an error that is thrown, or of an answer that is none of ours. */
export function toRefusal(failure: unknown, { status }: { status: number }): Error {
  if (failure instanceof Error && !('status_code' in failure)) return failure
  const code = CODES[status]
  if (!code) return new Refusal('temporarily_unavailable')
  const says = (failure as { body?: string } | undefined)?.body?.trim()
  return new Refusal(code, code === 'invalid_argument' ? says || undefined : undefined)
}
