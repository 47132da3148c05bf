import type { ErrorCode } from '../errors/catalogue.ts'
import type { CloseCode } from './close-codes.ts'

/**
 * The codes of the error catalogue that refuse a login, and the close code that follows the login_result. Apart from the
 * catalogue, so that clients need not load it.
 */
export const loginErrors = {
  invalid_argument: 4400,
  protocol_unsupported: 4400,
  unauthenticated: 4401,
  token_expired: 4401,
  session_ended: 4401,
  link_invalid: 4401,
  permission_denied: 4403,
  guests_not_allowed: 4403,
  link_rotated: 4403,
  room_closed: 4403,
  room_cancelled: 4403,
  account_deleted: 4410,
  rate_limited: 4429,
  temporarily_unavailable: 1001,
  too_many_connections: 1013,
  server_full: 1013,
} as const satisfies Partial<Record<ErrorCode, CloseCode>>

export type LoginErrorCode = keyof typeof loginErrors
export const LOGIN_ERROR_CODES = Object.keys(loginErrors) as [LoginErrorCode, ...LoginErrorCode[]]
