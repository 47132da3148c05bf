import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'

/** The people who were in sessions, whichever server runs or ran them. */
export const insiderStore = (db: Kysely<MainSchema>) => ({
  /** Whether an account entered that session, and was not removed from it. */
  wasInside: async (sessionId: number, userId: number): Promise<boolean> => {
    const row = await db
      .selectFrom('conference_sessions')
      .select(['members', 'removed'])
      .where('id', '=', sessionId)
      .where(sql<boolean>`members LIKE ${`%${Number(userId)}%`}`)
      .executeTakeFirst()
    if (!row) return false
    const removed = JSON.parse(row.removed) as { userId: number }[]
    const isMember = (JSON.parse(row.members) as number[]).includes(userId)
    return isMember && !removed.some(each => each.userId === userId)
  },
})
