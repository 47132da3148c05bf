/** Error codes of the administration API that have a text of their own; null stands for an unreachable server. */
export const FAILURES = [
  'permission_denied',
  'invalid_argument',
  'last_administrator',
  'login_taken',
  'user_not_found',
  'partner_module_disabled',
  'service_account_exists',
  'session_not_found',
  'job_ended',
  'recording_not_found',
  'webhook_not_configured',
  'webhook_disabled',
  'rotation_in_progress',
  'too_many_owners',
  'too_many_endpoints',
  'endpoint_disabled',
  'rate_limited',
  'delivery_not_replayable',
  'not_found',
  'unreachable',
  'other',
] as const
export type Failure = (typeof FAILURES)[number]

export function failureFor(code: string | null): Failure {
  if (code === null) return 'unreachable'
  return FAILURES.find(known => known === code) ?? (code.endsWith('_not_found') ? 'not_found' : 'other')
}
