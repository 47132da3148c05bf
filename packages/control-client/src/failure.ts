import type { ControlError, ControlErrorCode } from '@lectern/protocol/control/client'

/**
 * - closed: the client was closed before the command was sent for the first time.
 * - aborted: the caller aborted the command.
 */
export type FailureCode = ControlErrorCode | 'aborted' | 'closed'

const REPEATABLE = new Set<FailureCode>([
  'outcome_unknown',
  'deadline_exceeded',
  'temporarily_unavailable',
  'rate_limited',
])

/** Why a command failed. Only after `outcome_unknown` and `aborted` may it have taken effect. */
export class ControlFailure extends Error {
  override name = 'ControlFailure'
  readonly code: FailureCode
  readonly retryAfterMs: number | undefined
  /** A more specific reason from the server, where there is one: `locked`, `full`, `not_moderator` … */
  readonly reason: string | undefined

  constructor(
    code: FailureCode,
    message: string = code,
    more: { retryAfterMs?: number; reason?: string } = {},
  ) {
    super(message)
    this.code = code
    this.retryAfterMs = more.retryAfterMs
    this.reason = more.reason
  }

  /** Nothing is known of the command's effect, or it may succeed later: one whose repetition does no harm is issued again. */
  get isRepeatable(): boolean {
    return REPEATABLE.has(this.code)
  }

  static from({ code, message, retry_after_ms: retryAfterMs, extensions }: ControlError): ControlFailure {
    const reason = extensions?.reason
    return new ControlFailure(code, message, {
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(typeof reason === 'string' && { reason }),
    })
  }
}
