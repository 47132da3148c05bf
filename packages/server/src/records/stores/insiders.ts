import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'

/** Who is or was in sessions, whichever server runs them. */
export const insiderStore = (db: Kysely<MainSchema>) => ({
  /** The first device of somebody in the open session of a conference. */
  find: async (
    tag: string,
    userId: number,
  ): Promise<{ sessionId: number; displayName: string; role: string } | null> => {
    const row = await db
      .selectFrom('session_participants as participant')
      .innerJoin('conference_sessions as session', 'session.id', 'participant.session_id')
      .select(['session.id', 'participant.display_name', 'participant.role'])
      .where('session.tag', '=', tag)
      .where('session.ended_at_ms', 'is', null)
      .where('participant.user_id', '=', userId)
      .orderBy('participant.joined_at_ms')
      .executeTakeFirst()
    return row ? { sessionId: row.id, displayName: row.display_name, role: row.role } : null
  },

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
