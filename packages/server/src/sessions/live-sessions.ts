import { Boards } from './board/boards.ts'
import { ConferenceSessions, type RuntimeDependencies } from './conference-sessions.ts'
import { Admissions } from './lobby/admissions.ts'
import { Participants } from './participants/participants.ts'
import { Reports } from './reports.ts'
import { Upkeep } from './upkeep.ts'

/** The sessions that this server runs, by who acts on them. */
export interface LiveSessions {
  conferences: ConferenceSessions
  participants: Participants
  reports: Reports
  /** Null: this server has none. */
  boards: Boards | null
  upkeep: Upkeep
}

export function createLiveSessions(deps: RuntimeDependencies): LiveSessions {
  const admissions = new Admissions(deps, deps.registry)
  const conferences = new ConferenceSessions(deps, admissions)
  const participants = new Participants(deps, conferences, admissions)
  const boards = deps.board && new Boards(deps, deps.board, conferences)
  deps.domainEvents.subscribe('session-ended', ({ sessionId }) => boards?.closeSession(sessionId))
  deps.domainEvents.subscribe('session-lost', ({ sessionId }) => boards?.closeSession(sessionId))
  return {
    conferences,
    participants,
    boards,
    reports: new Reports(deps, conferences),
    upkeep: new Upkeep(deps, { conferences, participants, admissions, boards }),
  }
}

/** Restores sessions that nobody runs; in a cluster, the start does not wait for more than some. MUST finish before anybody joins. */
export async function startLiveSessions({ reports, upkeep }: LiveSessions): Promise<void> {
  reports.subscribe()
  await upkeep.openSomeVacant()
}
