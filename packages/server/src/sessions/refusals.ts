import { type ErrorCode, Refusal } from '@lectern/protocol'

/** A refusal of a conference, by its code in the error catalogue. */
export class ConferenceRefusal extends Refusal {
  override name = 'ConferenceRefusal'

  constructor(code: ErrorCode, retryAfterMs?: number) {
    super(code, undefined, { retryAfterMs })
  }
}

/** This server does not run the session any more: nothing was stored, and nothing may be. */
export class LeaseLost extends Refusal {
  override name = 'LeaseLost'

  constructor() {
    super('elsewhere')
  }
}

/** Throws if a write under a lease was refused. */
export function assertHeld(isHeld: boolean): void {
  if (!isHeld) throw new LeaseLost()
}

export function assertOrRefuse(condition: unknown, code: ErrorCode): asserts condition {
  if (!condition) throw new ConferenceRefusal(code)
}

/** A session that is lost needs nothing more from this server. */
export function unlessLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error
}
