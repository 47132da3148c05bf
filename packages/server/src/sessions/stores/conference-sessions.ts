import type { Kysely, Updateable } from 'kysely'
import { prepared } from '../../platform/db/prepared.ts'
import type { ConferenceSessionsTable, MainSchema } from '../../platform/db/schema.ts'
import type { EndReason, SessionLease, SessionStore } from '../ports.ts'
import {
  isHeldBy,
  isOrdinary,
  LOCAL_OWNER,
  newRow,
  nextIncarnation,
  toColumns,
  toSession,
  toState,
} from './session-rows.ts'

export function sessionStore(db: Kysely<MainSchema>): SessionStore {
  const selectOpen = prepared(db, (tag: string) =>
    db
      .selectFrom('conference_sessions')
      .select(['locked', 'chat_mode', 'moderation', 'removed', 'members'])
      .where('tag', '=', tag)
      .where('ended_at_ms', 'is', null),
  )
  /** Changes an open session under its lease. True also for one that has ended under this lease. */
  const change = async (lease: SessionLease, changes: Updateable<ConferenceSessionsTable>) => {
    const { numUpdatedRows } = await db
      .updateTable('conference_sessions')
      .set(changes)
      .where(isHeldBy(lease))
      .where('ended_at_ms', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 1n) return true
    const held = await db
      .selectFrom('conference_sessions')
      .select('id')
      .where(isHeldBy(lease))
      .executeTakeFirst()
    return held !== undefined
  }
  return {
    findOrOpen: async (tag, atMs) =>
      toSession(
        await db
          .insertInto('conference_sessions')
          .values(newRow(tag, atMs, LOCAL_OWNER))
          .onConflict(conflict =>
            conflict
              .column('tag')
              .where('ended_at_ms', 'is', null)
              .doUpdateSet({ incarnation: nextIncarnation, owner: LOCAL_OWNER }),
          )
          .returningAll()
          .returning(isOrdinary)
          .executeTakeFirstOrThrow(),
      ),
    resumeOpen: async () => {
      const rows = await db
        .updateTable('conference_sessions')
        .set({ incarnation: nextIncarnation, owner: LOCAL_OWNER })
        .where('ended_at_ms', 'is', null)
        .returningAll()
        .returning(isOrdinary)
        .execute()
      return rows.map(toSession).sort((a, b) => a.sessionId - b.sessionId)
    },
    save: (lease, state) => change(lease, toColumns(state)),
    saveHands: (lease, hands) => change(lease, { hands: JSON.stringify(hands) }),
    end: (lease, atMs, reason) => change(lease, { ended_at_ms: atMs, end_reason: reason, removed: '[]' }),
    find: async sessionId => {
      const row = await db
        .selectFrom('conference_sessions')
        .selectAll()
        .select(isOrdinary)
        .where('id', '=', sessionId)
        .executeTakeFirst()
      return row ? toSession(row) : null
    },
    findOpen: async tag => {
      const [row] = await selectOpen(tag)
      return row ? toState(row) : null
    },
    lastEnd: async tag => {
      const row = await db
        .selectFrom('conference_sessions')
        .select('end_reason')
        .where('tag', '=', tag)
        .where('ended_at_ms', 'is not', null)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return (row?.end_reason ?? null) as EndReason | null
    },
  }
}
