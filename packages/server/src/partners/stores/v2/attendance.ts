import { batched } from '@lectern/common'
import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../../../platform/db/dialect.ts'
import type { MainSchema } from '../../../platform/db/schema.ts'
import type { AttendanceLog } from '../../../sessions/ports.ts'
import { isHeldBy } from '../../../sessions/stores/session-rows.ts'

/** A session that was taken over, and who is still in it. */
interface Restored {
  sessionId: number
  present: readonly string[]
  atMs: number
}

/** Somebody who comes to the lobby and leaves it again and again does not flood the partner. */
const NOTICED_EVERY_MS = 60_000

/** Sessions have at most some hundred people. */
const RESTORED_AT_ONCE = 50

/** Nobody leaves before they came, although the clock was set back. */
const leftAt = (atMs: number) =>
  sql<number>`CASE WHEN joined_at_ms > ${atMs} THEN joined_at_ms ELSE CAST(${atMs} AS BIGINT) END`

/** The attendance in the rooms of partners. Triggers make events of it (decision 153). */
export function attendanceStore(db: Kysely<MainSchema>): AttendanceLog {
  const loseOthers = batched(
    async (restored: Restored[]) => {
      const present = restored.flatMap(each => each.present)
      await db
        .updateTable('partner_attendance')
        .set({ left_at_ms: leftAt(Math.max(...restored.map(({ atMs }) => atMs))), reason: 'lost' })
        .where(
          'session_id',
          'in',
          restored.map(({ sessionId }) => sessionId),
        )
        .where('left_at_ms', 'is', null)
        .$if(present.length > 0, query => query.where('participant_id', 'not in', present))
        .execute()
      return restored.map(() => undefined)
    },
    { schedule: setImmediate, maxItems: RESTORED_AT_ONCE },
  )
  return {
    joined: async (lease, { participantId, userId, displayName, role, joinedAtMs }) => {
      // One statement, so that a server that has lost the session adds nobody to it; PostgreSQL also locks the session, or it
      // could end meanwhile, and nobody would leave it.
      await db
        .insertInto('partner_attendance')
        .columns([
          ...['participant_id', 'session_id', 'tag', 'user_id', 'display_name', 'role'],
          'joined_at_ms',
        ] as const)
        .expression(
          db
            .selectFrom('conference_sessions')
            .select([
              sql<string>`CAST(${participantId} AS TEXT)`.as('participant_id'),
              'id',
              'tag',
              sql<number>`CAST(${userId} AS INTEGER)`.as('user_id'),
              sql<string>`CAST(${displayName} AS TEXT)`.as('display_name'),
              sql<string>`CAST(${role} AS TEXT)`.as('role'),
              sql<number>`CAST(${joinedAtMs} AS BIGINT)`.as('joined_at_ms'),
            ])
            .where(isHeldBy(lease))
            .where('ended_at_ms', 'is', null)
            .$if(isPostgres(db), query => query.forShare()),
        )
        .execute()
    },
    left: async (participantId, atMs, reason) => {
      await db
        .updateTable('partner_attendance')
        .set({ left_at_ms: leftAt(atMs), reason })
        .where('participant_id', '=', participantId)
        .where('left_at_ms', 'is', null)
        .execute()
    },
    restored: (sessionId, present, atMs) => loseOthers({ sessionId, present, atMs }),
    waiting: async (tag, person, atMs) => {
      await db
        .insertInto('partner_outbox')
        .values({
          tag,
          type: 'participant.waiting',
          subject: `waiting:${person.userId}:${Math.floor(atMs / NOTICED_EVERY_MS)}`,
          at_ms: atMs,
          data: JSON.stringify(person),
        })
        .execute()
    },
  }
}
