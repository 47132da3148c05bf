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
  upkeep: Upkeep
}

export function createLiveSessions(deps: RuntimeDependencies): LiveSessions {
  const admissions = new Admissions(deps, deps.registry)
  const conferences = new ConferenceSessions(deps, admissions)
  const participants = new Participants(deps, conferences, admissions)
  return {
    conferences,
    participants,
    reports: new Reports(deps, conferences),
    upkeep: new Upkeep(deps, { conferences, participants, admissions }),
  }
}

/** Restores the sessions that nobody runs. MUST finish before anybody joins. */
export async function startLiveSessions({ reports, upkeep }: LiveSessions): Promise<void> {
  reports.subscribe()
  await upkeep.openVacant()
}
