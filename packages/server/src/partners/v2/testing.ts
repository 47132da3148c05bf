import type { Kysely } from 'kysely'
import { openMainStore } from '../../platform/db/open.ts'
import type { IntegrationSchema, MainSchema } from '../../platform/db/schema.ts'
import type { SessionLease } from '../../sessions/ports.ts'
import { sessionStore } from '../../sessions/stores/conference-sessions.ts'
import type { Answer, Call } from '../../testing/http.ts'
import type { Partner } from '../../testing/partner.ts'
import type { TestServer } from '../../testing/server.ts'
import { deliveryStore } from '../stores/deliveries.ts'
import { roomStore } from '../stores/rooms.ts'
import { partnerArchive } from '../stores/v2/archive.ts'
import { attendanceStore } from '../stores/v2/attendance.ts'
import { partnerRetentionStore } from '../stores/v2/retention.ts'
import { PartnerRecordings } from './recordings/recordings.ts'

/** A partner's backend that speaks version 2. `path` follows the base path. */
export const version2 =
  (server: TestServer, { token }: Pick<Partner, 'token'>) =>
  (method: string, path: string, options: Call = {}): Promise<Answer> =>
    server.call(method, `/api/v2/integration${path}`, { token, ...options })

export type Version2 = ReturnType<typeof version2>

/** The hourly sweep of recordings, but it only says which ones it would delete, and fails at one of them. */
export async function sweepRecordings(
  main: Kysely<MainSchema>,
  integration: Kysely<IntegrationSchema>,
  stuck: string | null = null,
): Promise<string[]> {
  const swept: string[] = []
  await new PartnerRecordings({
    store: partnerArchive(main),
    retention: partnerRetentionStore(main),
    rooms: roomStore(integration),
    deliveries: deliveryStore(integration),
    removeRecording: async id => {
      if (id === stuck) throw new Error('it cannot be removed')
      swept.push(id)
      return false
    },
    clock: Date.now,
    findTranscript: async () => null,
    auditRemoval: (_, remove) => remove(),
    known: {} as never,
    isUsable: async () => true,
    keys: {} as never,
    publicUrl: () => '',
  })
    .sweep()
    .catch(error => {
      if (stuck === null) throw error
    })
  return swept
}

/** Calls in rooms of a running server, as a server writes them that is not there any more. */
export async function openTestCalls({ config }: TestServer) {
  const main = await openMainStore(config.Db.Url)
  const sessions = sessionStore(main.db)
  const attendance = attendanceStore(main.db)
  let joins = 0
  return {
    db: main.db,
    start: async (tag: string, atMs = Date.now()): Promise<SessionLease> => {
      const { sessionId, incarnation } = await sessions.findOrOpen(tag, atMs)
      return { sessionId, incarnation, owner: 'local' }
    },
    join: async (lease: SessionLease, userId: number, displayName: string, joinedAtMs = Date.now()) => {
      const participantId = `${lease.sessionId}.1.${++joins}`
      const attendee = { participantId, userId, displayName, connectionId: participantId, joinedAtMs }
      await attendance.joined(lease, { ...attendee, role: 'participant' })
      return participantId
    },
    leave: (participantId: string, atMs = Date.now()) => attendance.left(participantId, atMs, 'left'),
    end: (lease: SessionLease, atMs = Date.now()) => sessions.end(lease, atMs, 'empty'),
    attendance,
    close: () => main.close(),
  }
}
