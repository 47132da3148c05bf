import type { SessionLease, StoredSession } from '../ports.ts'

/** The lease of a session of the only server of an installation. */
export const localLease = ({
  sessionId,
  incarnation = 1,
}: Partial<StoredSession> & { sessionId: number }): SessionLease => ({
  sessionId,
  incarnation,
  owner: 'local',
})
