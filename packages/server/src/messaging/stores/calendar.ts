import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import { isInvited } from './members.ts'

/** A meeting with a planned time, as its calendar shows it. */
export interface PlannedMeeting {
  tag: string
  title: string
  startsAtMs: number
  endsAtMs: number | null
  revision: number
  changedAtMs: number
  isRemoved: boolean
}

export type CalendarStore = ReturnType<typeof calendarStore>

/** Personal calendars: one link for each user, and the meetings behind it. */
export function calendarStore(db: Kysely<MainSchema>) {
  return {
    /** Replaces the link of the user. */
    saveLink: async (userId: number, tokenHash: string, createdAtMs: number): Promise<void> => {
      const link = { token_hash: tokenHash, created_at_ms: createdAtMs }
      await db
        .insertInto('calendar_links')
        .values({ user_id: userId, ...link })
        .onConflict(conflict => conflict.column('user_id').doUpdateSet(link))
        .execute()
    },
    /** When the link was made; null without one. */
    findLink: async (userId: number): Promise<number | null> => {
      const row = await db
        .selectFrom('calendar_links')
        .select('created_at_ms')
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row ? Number(row.created_at_ms) : null
    },
    removeLink: async (userId: number): Promise<void> => {
      await db.deleteFrom('calendar_links').where('user_id', '=', userId).execute()
    },
    findUser: async (tokenHash: string): Promise<number | null> => {
      const row = await db
        .selectFrom('calendar_links')
        .select('user_id')
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
      return row?.user_id ?? null
    },
    /**
     * The planned conferences that the user owns or is a member of and that start after that time, the earliest first.
     * Removed ones too.
     */
    plannedOf: async (userId: number, afterMs: number, limit: number): Promise<PlannedMeeting[]> => {
      // By tag, because an OR would read the meetings of everybody.
      const isOwn = sql<boolean>`tag IN (
        SELECT tag FROM conferences WHERE owner_id = ${userId}
        UNION
        SELECT v.tag FROM conversation_members m JOIN conversations v ON v.chat_id = m.chat_id
        WHERE m.user_id = ${userId} AND v.tag IS NOT NULL AND NOT ${isInvited})`
      const rows = await db
        .selectFrom('conferences')
        .select(['tag', 'title', 'starts_at_ms', 'ends_at_ms', 'revision', 'changed_at_ms', 'removed'])
        .where('purpose', '=', 'meeting')
        .where('starts_at_ms', '>=', afterMs)
        .where(isOwn)
        .orderBy('starts_at_ms')
        .orderBy('tag')
        .limit(limit)
        .execute()
      return rows.map(row => ({
        tag: row.tag,
        title: row.title,
        startsAtMs: Number(row.starts_at_ms),
        endsAtMs: row.ends_at_ms === null ? null : Number(row.ends_at_ms),
        revision: row.revision,
        changedAtMs: Number(row.changed_at_ms ?? 0),
        isRemoved: row.removed === 1,
      }))
    },
  }
}
