import { Boards } from './board/boards.ts'
import { ConferenceSessions, type RuntimeParts } from './conference-sessions.ts'
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

export function createLiveSessions(parts: RuntimeParts): LiveSessions {
  const admissions = new Admissions(parts, parts.registry)
  const conferences = new ConferenceSessions(parts, admissions)
  const participants = new Participants(parts, conferences, admissions)
  const reports = new Reports(parts, conferences)
  const boards = parts.board && new Boards(parts, parts.board, conferences)
  parts.domainEvents.subscribe('session-ended', ({ sessionId }) => boards?.pages.closeSession(sessionId))
  parts.domainEvents.subscribe('session-lost', ({ sessionId }) => boards?.pages.closeSession(sessionId))
  return {
    conferences,
    participants,
    boards,
    reports,
    upkeep: new Upkeep(parts, { conferences, participants, admissions, reports, boards }),
  }
}

/** Restores sessions that nobody runs; in a cluster, the start does not wait for more than some. MUST finish before anybody joins. */
export async function startLiveSessions({ reports, upkeep }: LiveSessions): Promise<void> {
  reports.subscribe()
  await upkeep.openSomeVacant()
}
