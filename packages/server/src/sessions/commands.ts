import type { CommandContext } from './command-context.ts'
import type { Conditions } from './conditions.ts'
import type { SessionDependencies } from './ports.ts'

/** Identifies a command whose result is stored, also after a restart and for an account that is not inside. */
export interface StoredCommandKey {
  sessionId: number
  userId: number
  commandId: string
}

/** The result that an earlier execution has stored; null when there is none. */
export type FindStored<Body> = (
  deps: Pick<SessionDependencies, 'chat' | 'sessions'>,
  key: StoredCommandKey,
  body: Body,
) => Promise<object | null>

/** A command of a participant. */
export interface SessionCommand<Body, Result> extends Conditions {
  /** Identifies the command among those of the account; a repetition has the same. */
  id: string
  userId: number
  body: Body
  run: (context: CommandContext, body: Body) => Result
  /** For commands whose result is stored: a repetition that is refused gets it (rules T9, T12 and PRE-4). */
  findStored?: FindStored<Body> | undefined
}
