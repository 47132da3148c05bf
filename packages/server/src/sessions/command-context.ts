import type { SessionDependencies } from './ports.ts'
import type { Participant, Session } from './session.ts'

/** Where a command is carried out, and by whom. */
export interface CommandContext {
  deps: SessionDependencies
  session: Session
  self: Participant
  commandId: string
}
