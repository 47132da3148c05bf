import type { Kysely, Selectable } from 'kysely'
import type { OrdinaryConference, PlannedTime } from '../../messaging/directory/ports.ts'
import { addConferenceConversation } from '../../messaging/stores/members.ts'
import { readTogether } from '../../platform/db/read-together.ts'
import type { ConferencesTable, MainSchema } from '../../platform/db/schema.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { deleteBoard } from './board-rows.ts'

const toConference = (row: Selectable<ConferencesTable>): OrdinaryConference => ({
  tag: row.tag,
  title: row.title,
  ownerId: row.owner_id,
  createdAtMs: row.created_at_ms,
  entry: row.entry as OrdinaryConference['entry'],
  purpose: row.purpose as OrdinaryConference['purpose'],
  ...(row.starts_at_ms !== null && {
    planned: {
      startsAtMs: Number(row.starts_at_ms),
      endsAtMs: row.ends_at_ms === null ? null : Number(row.ends_at_ms),
    },
  }),
})

const toColumns = (planned: PlannedTime | null | undefined) => ({
  starts_at_ms: planned?.startsAtMs ?? null,
  ends_at_ms: planned?.endsAtMs ?? null,
})

export type OrdinaryConferenceStore = ReturnType<typeof ordinaryConferenceStore>

export function ordinaryConferenceStore(db: Kysely<MainSchema>) {
  // Rows of removed conferences remain, so that their tags are never reused.
  const present = () => db.selectFrom('conferences').where('removed', '=', 0)
  const rowsOf = readTogether(
    (tags: string[]) => present().selectAll().where('tag', 'in', tags).execute(),
    row => row.tag,
  )
  return {
    add: async ({ tag, title, ownerId, createdAtMs, entry, purpose, planned }: OrdinaryConference) => {
      const row = {
        ...{ tag, title, owner_id: ownerId, created_at_ms: createdAtMs, entry, removed: 0, purpose },
        ...toColumns(planned),
        changed_at_ms: createdAtMs,
      }
      await inTransaction(db, async db => {
        await db.insertInto('conferences').values(row).execute()
        if (purpose === 'meeting') await addConferenceConversation(db, tag, ownerId)
      })
    },
    /** Null when there is none, or it was removed. */
    find: async (tag: string): Promise<OrdinaryConference | null> => {
      const [row] = await rowsOf(tag)
      return row ? toConference(row) : null
    },
    /** Meetings only, newest first. */
    listOf: async (ownerId: number, limit: number): Promise<OrdinaryConference[]> => {
      const rows = await present()
        .selectAll()
        .where('owner_id', '=', ownerId)
        .where('purpose', '=', 'meeting')
        .orderBy('created_at_ms', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toConference)
    },
    /** Meetings only. */
    countOf: async (ownerId: number): Promise<number> => {
      const { count } = await present()
        .select(query => query.fn.countAll<number>().as('count'))
        .where('owner_id', '=', ownerId)
        .where('purpose', '=', 'meeting')
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    /** Null when there is none. What is absent stays; null removes the time. */
    update: async (
      tag: string,
      {
        planned,
        ...changes
      }: {
        title?: string | undefined
        entry?: OrdinaryConference['entry'] | undefined
        planned?: PlannedTime | null | undefined
      },
      atMs: number,
    ): Promise<OrdinaryConference | null> => {
      const row = await db
        .updateTable('conferences')
        .set(eb => ({
          ...changes,
          ...(planned !== undefined && toColumns(planned)),
          revision: eb('revision', '+', 1),
          changed_at_ms: atMs,
        }))
        .where('tag', '=', tag)
        .where('removed', '=', 0)
        .returningAll()
        .executeTakeFirst()
      return row ? toConference(row) : null
    },
    /** Removes the conference with its board. False when there was none. */
    remove: async (tag: string, atMs: number) => {
      return inTransaction(db, async db => {
        const { numUpdatedRows } = await db
          .updateTable('conferences')
          .set(eb => ({ removed: 1, revision: eb('revision', '+', 1), changed_at_ms: atMs }))
          .where('tag', '=', tag)
          .where('removed', '=', 0)
          .executeTakeFirst()
        if (numUpdatedRows === 1n) await deleteBoard(db, tag)
        return numUpdatedRows === 1n
      })
    },
  }
}
