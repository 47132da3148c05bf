/** The codes of a control error (docs/control-protocol.md#errors), and when each is told. */
export const controlErrors = {
  protocol_unsupported: 'The offer and this server have no version or profile in common.',
  unsupported_feature: 'This server does not do that: an unknown command, signal or media format.',
  unauthenticated: 'Sign in first.',
  token_expired: 'The token has expired; get a new one and sign in again.',
  account_deleted: 'This account was deleted.',
  permission_denied: 'You may not do that here.',
  stale_binding: 'The binding is of an older generation than the connection.',
  resume_rejected: 'The connection cannot be resumed; sync again with mode fresh.',
  version_conflict: 'The aggregate has another version than expected_version.',
  idempotency_conflict: 'The command_id was used before, for another command.',
  resync_required: 'The stream cannot be continued from that cursor; sync again with mode resync.',
  temporarily_unavailable: 'The server cannot do this right now; try again.',
  rate_limited: 'Too many requests; try again later.',
  deadline_exceeded: 'ttl_ms passed before the work began.',
  outcome_unknown: 'It is not known whether the command took effect; repeat it with the same command_id.',
  invalid_argument: 'Something in the frame is not as it should be.',
  resource_exhausted: 'More than a limit allows: a frame too large, too deep or too many at once.',
  apply_failed: 'The command was stored but could not be carried out.',
} as const satisfies Record<string, string>

export type ControlErrorCode = keyof typeof controlErrors
export const CONTROL_ERROR_CODES = Object.keys(controlErrors) as [ControlErrorCode, ...ControlErrorCode[]]
