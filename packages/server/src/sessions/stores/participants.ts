import { batched } from '@lectern/common'
import type { ConferenceRole } from '@lectern/protocol/control'
import { type Kysely, sql } from 'kysely'
import { readTogether } from '../../platform/db/read-together.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { ParticipantStore, SessionLease } from '../ports.ts'
import { areHeldBy, isHeldBy } from './session-rows.ts'

const CLEARED_AT_ONCE = 1_000

/** The participants of sessions. The sweep removes rows that a session leaves behind. */
export function participantStore(db: Kysely<MainSchema>): ParticipantStore & { sweep: () => Promise<void> } {
  /** The session, while the lease holds. */
  const held = (lease: SessionLease) =>
    db.selectFrom('conference_sessions').select('id').where(isHeldBy(lease))
  const rowsOf = readTogether(
    (sessionIds: number[]) =>
      db
        .selectFrom('session_participants')
        .selectAll()
        .where('session_id', 'in', sessionIds)
        .orderBy('joined_at_ms')
        .orderBy('participant_id')
        .execute(),
    row => row.session_id,
  )
  return {
    add: async (lease, participant) => {
      const { participantId, userId, connectionId, displayName, role, joinedAtMs } = participant
      // One statement, so that a server that has lost the session adds nobody to it.
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('session_participants')
        .columns([
          ...['participant_id', 'session_id', 'user_id', 'connection_id', 'display_name', 'role'],
          'joined_at_ms',
        ] as const)
        .expression(
          db
            .selectFrom('conference_sessions')
            .select([
              sql<string>`CAST(${participantId} AS TEXT)`.as('participant_id'),
              'id',
              sql<number>`CAST(${userId} AS INTEGER)`.as('user_id'),
              sql<string>`CAST(${connectionId} AS TEXT)`.as('connection_id'),
              sql<string>`CAST(${displayName} AS TEXT)`.as('display_name'),
              sql<string>`CAST(${role} AS TEXT)`.as('role'),
              sql<number>`CAST(${joinedAtMs} AS BIGINT)`.as('joined_at_ms'),
            ])
            .where(isHeldBy(lease))
            .where('ended_at_ms', 'is', null),
        )
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    rename: async (lease, participantId, display_name) => {
      await db
        .updateTable('session_participants')
        .set({ display_name })
        .where('participant_id', '=', participantId)
        .where('session_id', 'in', held(lease))
        .execute()
    },
    remove: async (lease, participantId) => {
      await db
        .deleteFrom('session_participants')
        .where('participant_id', '=', participantId)
        .where('session_id', 'in', held(lease))
        .execute()
    },
    list: async sessionId => {
      const rows = await rowsOf(sessionId)
      return rows.map(row => ({
        participantId: row.participant_id,
        userId: row.user_id,
        connectionId: row.connection_id,
        displayName: row.display_name,
        role: row.role as ConferenceRole,
        joinedAtMs: row.joined_at_ms,
      }))
    },
    clear: batched(
      async (leases: SessionLease[]) => {
        const sessions = db.selectFrom('conference_sessions').select('id').where(areHeldBy(leases))
        await db.deleteFrom('session_participants').where('session_id', 'in', sessions).execute()
        return leases.map(() => undefined)
      },
      { schedule: setImmediate, maxItems: CLEARED_AT_ONCE },
    ),
    findByConnection: async connectionId => {
      const rows = await db
        .selectFrom('session_participants as participant')
        .innerJoin('conference_sessions as session', 'session.id', 'participant.session_id')
        .select(['participant.participant_id', 'session.id', 'session.tag'])
        .where('participant.connection_id', '=', connectionId)
        .where('session.ended_at_ms', 'is', null)
        .orderBy('session.id')
        .execute()
      return rows.map(row => ({ sessionId: row.id, tag: row.tag, participantId: row.participant_id }))
    },
    sweep: async () => {
      await db
        .deleteFrom('session_participants')
        .where('session_id', 'not in', eb =>
          eb.selectFrom('conference_sessions').select('id').where('ended_at_ms', 'is', null),
        )
        .execute()
    },
  }
}
