import type { ControlErrorCode } from './error-codes.ts'
import type { ControlError } from './shared.ts'

interface Details {
  /** Finer than the code, for a client that wants to say it well: `error.extensions.reason`. */
  reason?: string
  retryAfterMs?: number
  cause?: unknown
}

/** A failure that a client of the control channel may be told about. Anything else is a bug. */
export class ControlRefusal extends Error {
  override name = 'ControlRefusal'
  readonly code: ControlErrorCode
  readonly reason: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(code: ControlErrorCode, message: string, { reason, retryAfterMs, cause }: Details = {}) {
    super(message, { cause })
    this.code = code
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }

  /** As it is told. */
  get error(): ControlError {
    const { code, message, reason, retryAfterMs } = this
    return {
      code,
      message,
      ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
      ...(reason !== undefined && { extensions: { reason } }),
    }
  }
}
