import { ControlFailure } from '@lectern/control-client'
import { type ErrorCode, errors, Refusal } from '@lectern/protocol'

const BY_CODE: Record<string, ErrorCode> = {
  permission_denied: 'permission_denied',
  invalid_argument: 'invalid_argument',
  unsupported_feature: 'invalid_argument',
  rate_limited: 'rate_limited',
  unauthenticated: 'unauthenticated',
}

/** Refusals of the control channel, for a client that speaks HTTP. Everything else may succeed later. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof ControlFailure)) return error
  const { reason, code, message, retryAfterMs } = error
  const known = reason !== undefined && isHttp(reason) ? reason : BY_CODE[code]
  return new Refusal(known ?? 'temporarily_unavailable', message, { retryAfterMs, cause: error })
}

const isHttp = (code: string): code is ErrorCode =>
  Object.hasOwn(errors, code) && 'status' in errors[code as ErrorCode]
