import type { SessionDependencies } from './ports.ts'
import type { Participant, Session } from './session.ts'

/** The session in which a command runs, and its sender. */
export interface CommandContext {
  deps: SessionDependencies
  session: Session
  self: Participant
  commandId: string
}
