import type { ControlError, ControlErrorCode } from '@lectern/protocol/control/client'

/** `closed`: the client ended before the command was sent for the first time. */
export type FailureCode = ControlErrorCode | 'closed'

/** Why a command did not succeed. `outcome_unknown` is the only code that leaves open whether it took effect. */
export class ControlFailure extends Error {
  override name = 'ControlFailure'
  readonly code: FailureCode
  readonly retryAfterMs: number | undefined

  constructor(code: FailureCode, message: string = code, retryAfterMs?: number) {
    super(message)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }

  static from = (error: ControlError) => new ControlFailure(error.code, error.message, error.retry_after_ms)
}
