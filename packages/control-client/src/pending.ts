import type { ControlCommand, JsonObject } from '@lectern/protocol/control/client'
import type { ControlFailure } from './failure.ts'
import type { Timer } from './timer.ts'

/** A command that its caller waits for. What it asks never changes: the same id is the same command. */
export interface Pending {
  readonly content: Omit<ControlCommand, 'binding'>
  /** After this it is not worth beginning. */
  readonly notAfter: number
  readonly timer: Timer
  readonly resolve: (data: JsonObject) => void
  readonly reject: (failure: ControlFailure) => void
  /** Given when the connection began; the others wait for its answer (rule C25). */
  readonly first: boolean
  readonly ignoreSignal: () => void
  readonly whenRateLimited: 'wait' | 'fail'
  life: PendingLife
}

/**
 * - queued: never sent, so certainly without effect.
 * - sent: on the present connection; it counts as in flight.
 * - unsure: sent on a connection that was lost, or refused for the time being; to be sent again.
 * - postponed: refused for the time being, until its timer fires.
 */
type PendingLife =
  | { is: 'queued' }
  | { is: 'sent'; firstSentAt: number }
  | { is: 'unsure'; firstSentAt: number }
  | { is: 'postponed'; firstSentAt: number }
