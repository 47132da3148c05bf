import { type ErrorCode, errors, Refusal } from '@lectern/protocol'
import { type ControlError, type ControlErrorCode, ControlRefusal } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import { storeFailure } from '../store-failure.ts'

/** What the rest of the service refuses with, in the words of this protocol. */
const codes: Partial<Record<ErrorCode, ControlErrorCode>> = {
  conference_not_found: 'invalid_argument',
  room_closed: 'permission_denied',
  room_cancelled: 'permission_denied',
  plain_link_closed: 'permission_denied',
  permission_denied: 'permission_denied',
  invalid_argument: 'invalid_argument',
  invalid_json: 'invalid_argument',
  blob_not_found: 'invalid_argument',
  rate_limited: 'rate_limited',
  temporarily_unavailable: 'temporarily_unavailable',
}

const RETRY_AFTER_MS = 2_000

/** The second of the two mappings of refusals (the other is http/errors.ts). What nobody foresaw is logged. */
export function toControlError(error: unknown, log: Logger): ControlError {
  if (error instanceof ControlRefusal) return error.error
  if (error instanceof Refusal) {
    const code = codes[error.code]
    if (code) return { code, message: error.message, extensions: { reason: error.code } }
  }
  log.error({ err: error }, 'a command failed')
  const failure = storeFailure(error)
  const code = failure && codes[failure]
  if (code)
    return {
      code,
      message: errors[failure].message,
      extensions: { reason: failure },
      ...(code === 'temporarily_unavailable' && { retry_after_ms: RETRY_AFTER_MS }),
    }
  return {
    code: 'outcome_unknown',
    message: 'Something went wrong on the server; repeat the command with the same command_id.',
    retry_after_ms: RETRY_AFTER_MS,
  }
}

/** Another try may have another result, so these are not remembered as the command's. */
const TRANSIENT = new Set<ControlErrorCode>(['temporarily_unavailable', 'rate_limited', 'outcome_unknown'])

export const isTransient = ({ code }: ControlError) => TRANSIENT.has(code)
