import { type ErrorCode, errorOf } from './catalogue.ts'
import type { ControlErrorCode } from './control-codes.ts'

interface Options extends ErrorOptions {
  /** When it makes sense to try again, if that is known. */
  retryAfterMs?: number | undefined
}

/** A failure that the caller may know of. Anything else is a bug and is reported as `internal` or `outcome_unknown`. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly retryAfterMs: number | undefined

  /** `message` replaces the one of the catalogue where a more exact one helps the caller. */
  constructor(code: ErrorCode, message?: string, { retryAfterMs, cause }: Options = {}) {
    super(message ?? errorOf(code).message, cause === undefined ? undefined : { cause })
    this.code = code
    this.retryAfterMs = retryAfterMs
  }

  /** Undefined: never sent over HTTP. */
  get status(): number | undefined {
    return errorOf(this.code).status
  }

  get httpCode(): string {
    return errorOf(this.code).httpCode ?? this.code
  }

  /** Undefined: never sent on the control channel. */
  get controlCode(): ControlErrorCode | undefined {
    return errorOf(this.code).control
  }

  /** The `error.extensions.reason` on the control channel; null: there is none. */
  get reason(): string | null {
    const { reason } = errorOf(this.code)
    return reason === undefined ? this.code : reason
  }
}

/** Throws the refusal unless the condition holds. */
export function ensure(condition: unknown, code: ErrorCode, message?: string): asserts condition {
  if (!condition) throw new Refusal(code, message)
}
