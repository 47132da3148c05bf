import type { ConferenceParts } from './ports.ts'
import type { Participant, Session } from './session.ts'

/** Where a command is carried out, and by whom. */
export interface Here {
  parts: ConferenceParts
  session: Session
  self: Participant
  /** Names this command among those of the same person; a repetition has the same. */
  commandId: string
}
