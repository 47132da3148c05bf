import { type ErrorCode, Refusal } from '@lectern/protocol'

/** A refusal of a conference, by its code in the error catalogue. */
export class ConferenceRefusal extends Refusal {
  override name = 'ConferenceRefusal'

  constructor(code: ErrorCode, retryAfterMs?: number) {
    super(code, undefined, { retryAfterMs })
  }
}

export function assertOrRefuse(condition: unknown, code: ErrorCode): asserts condition {
  if (!condition) throw new ConferenceRefusal(code)
}
