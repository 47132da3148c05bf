import type { ConferenceParts } from './ports.ts'
import type { Participant, Session } from './session.ts'

/** Where a command is carried out, and by whom. */
export interface Here {
  parts: ConferenceParts
  session: Session
  self: Participant
  commandId: string
}
