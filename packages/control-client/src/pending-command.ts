import type { ControlCommand, JsonObject } from '@lectern/protocol/control/client'
import type { ControlFailure } from './failure.ts'
import type { Timer } from './timer.ts'

export interface CommandOptions {
  /** An id of the caller's, which MUST be unique; a random one by default. */
  commandId?: string
  /** The command is not sent for the first time after this. */
  ttlMs?: number
  /** The version that the target MUST have; otherwise the command fails with `version_conflict`. */
  expectedVersion?: string
  /** Aborts the command: it is not sent, or not sent again, and fails with `aborted` (rule C29). */
  signal?: AbortSignal
  /** On `rate_limited`: retry when the server allows it (the default), or fail at once. */
  whenRateLimited?: 'wait' | 'fail'
  /**
   * For a command whose repetition has no further effect: instead of failing in a way that is repeatable, it is issued again with
   * another id, in its place among the others (rule C33).
   */
  isRenewed?: boolean
}

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
