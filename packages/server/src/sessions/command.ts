import type { SessionParts } from './ports.ts'
import { ConferenceRefusal } from './refusals.ts'
import type { Participant, Session } from './session.ts'

/** The session in which a command runs, and its sender. */
export interface CommandContext {
  parts: SessionParts
  session: Session
  self: Participant
  commandId: string
}

/** Identifies a command whose result is stored, also after a restart and for an account that is not inside. */
export interface StoredCommandKey {
  sessionId: number
  userId: number
  commandId: string
}

/** The result that an earlier execution has stored; null when there is none. */
export type FindStored<Body> = (
  parts: Pick<SessionParts, 'chat' | 'sessions'>,
  key: StoredCommandKey,
  body: Body,
) => Promise<object | null>

/** A command of a participant. */
export interface SessionCommand<Body, Result> extends Conditions {
  /** Identifies the command among the account's; a repetition has the same. */
  id: string
  userId: number
  body: Body
  run: (context: CommandContext, body: Body) => Result
  /** For commands whose result is stored: a repetition that is refused gets it (rules T9, T12 and PRE-4). */
  findStored?: FindStored<Body> | undefined
}

/** The conditions under which a command runs (rules PRE-1 to PRE-3). */
export interface Conditions {
  expectedVersion?: string | undefined
  /** In milliseconds of the clock. */
  startBy?: number | undefined
}

export function assertConditions(
  parts: Pick<SessionParts, 'clock'>,
  version: number,
  { expectedVersion, startBy }: Conditions,
): void {
  assertInTime(parts, startBy)
  if (expectedVersion !== undefined && expectedVersion !== String(version))
    throw new ConferenceRefusal('other_version')
}

/** Rule PRE-1. */
export function assertInTime({ clock }: Pick<SessionParts, 'clock'>, startBy: number | undefined): void {
  if (startBy !== undefined && clock() > startBy) throw new ConferenceRefusal('too_late')
}
