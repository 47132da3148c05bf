/** The codes of an error on the control channel (docs/control-protocol.md, "Errors"). */
export const controlErrors = {
  protocol_unsupported: {
    retryable: false,
    message: 'The offer and this server have no version or profile in common.',
  },
  unsupported_feature: {
    retryable: false,
    message: 'This server does not support the command, signal or media format.',
  },
  unauthenticated: { retryable: false, message: 'Sign in first.' },
  token_expired: { retryable: false, message: 'The token has expired; get a new one and sign in again.' },
  account_deleted: { retryable: false, message: 'This account was deleted.' },
  permission_denied: { retryable: false, message: 'You do not have permission to do that.' },
  stale_binding: {
    retryable: false,
    message: 'The binding belongs to an older generation of the connection.',
  },
  resume_rejected: {
    retryable: false,
    message: 'The connection cannot be resumed; sync again with mode fresh.',
  },
  version_conflict: { retryable: false, message: 'The version of the aggregate is not expected_version.' },
  idempotency_conflict: { retryable: false, message: 'The command_id was already used for another command.' },
  resync_required: {
    retryable: false,
    message: 'The stream cannot be continued from that cursor; sync again with mode resync.',
  },
  temporarily_unavailable: { retryable: true, message: 'The server cannot do this right now; try again.' },
  rate_limited: { retryable: true, message: 'Too many requests; try again later.' },
  deadline_exceeded: { retryable: false, message: 'ttl_ms passed before the command was executed.' },
  outcome_unknown: {
    retryable: true,
    message: 'It is not known whether the command took effect; repeat it with the same command_id.',
  },
  invalid_argument: { retryable: false, message: 'A value in the frame is missing or invalid.' },
  resource_exhausted: {
    retryable: false,
    message: 'A limit is exceeded: a frame is too large or too deep, or too many items are sent at once.',
  },
  apply_failed: { retryable: false, message: 'The command was stored but could not be carried out.' },
} as const satisfies Record<string, { retryable: boolean; message: string }>

export type ControlErrorCode = keyof typeof controlErrors
export const CONTROL_ERROR_CODES = Object.keys(controlErrors) as [ControlErrorCode, ...ControlErrorCode[]]
