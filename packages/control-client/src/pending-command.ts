import type { ControlCommand, JsonObject } from '@lectern/protocol/control/client'
import type { CommandOptions } from './commands.ts'
import type { ControlFailure } from './failure.ts'
import type { Timer } from './timer.ts'

/** A command without a result yet. Its content never changes: a command id names one command. */
export interface PendingCommand {
  readonly content: Omit<ControlCommand, 'binding'>
  /** When the ttl ends: the command is not sent for the first time after this. */
  readonly deadline: number
  readonly timer: Timer
  readonly resolve: (data: JsonObject) => void
  readonly reject: (failure: ControlFailure) => void
  /** Issued by an `onStart` listener; all other commands wait for its result (rule C25). */
  readonly isStartCommand: boolean
  readonly removeAbortListener: () => void
  readonly options: CommandOptions
  state: PendingState
}

/**
 * - queued: never sent, so certainly without effect.
 * - sent: on the current connection; it counts as in flight.
 * - unconfirmed: sent on a connection that was lost, or refused temporarily; it will be sent again.
 * - postponed: refused temporarily, until its timer fires.
 */
type PendingState =
  | { is: 'queued' }
  | { is: 'sent'; firstSentAt: number }
  | { is: 'unconfirmed'; firstSentAt: number }
  | { is: 'postponed'; firstSentAt: number }
