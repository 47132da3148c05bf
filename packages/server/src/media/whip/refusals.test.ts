import { ControlFailure } from '@lectern/control-client'
import { expect, it } from 'vitest'
import { toRefusal } from './refusals.ts'

it.each([
  ['permission_denied', 'locked', 403, 'permission_denied'],
  ['permission_denied', 'room_closed', 403, 'room_closed'],
  ['unauthenticated', 'session_ended', 401, 'session_ended'],
  ['invalid_argument', 'malformed', 400, 'invalid_argument'],
  ['unsupported_feature', 'unsupported', 400, 'invalid_argument'],
  ['resource_exhausted', 'full', 503, 'temporarily_unavailable'],
  ['rate_limited', 'too_many_commands', 429, 'rate_limited'],
  ['temporarily_unavailable', 'no_worker', 503, 'temporarily_unavailable'],
] as const)(
  '%s with the reason %s is %d %s over HTTP, with the same message',
  (code, reason, status, httpCode) => {
    const refusal = toRefusal(new ControlFailure(code, 'The reason.', { reason, retryAfterMs: 7_000 }))
    expect(refusal).toMatchObject({ status, httpCode, message: 'The reason.', retryAfterMs: 7_000 })
  },
)
