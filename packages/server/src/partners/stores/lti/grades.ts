import { type Kysely, sql } from 'kysely'
import { bringForward } from '../../../platform/db/bring-forward.ts'
import { isPostgres } from '../../../platform/db/dialect.ts'
import type { MainSchema } from '../../../platform/db/schema.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { DueDelivery, DueLimits, Lease } from '../../../platform/delivery/ports.ts'
import type { Settlement } from '../../ports.ts'
import { columnsOf } from '../delivery-rows.ts'

/** The attendance of one person, as it is reported. */
export interface NewGrade {
  id: string
  user: string
  /** JSON */
  body: string
}

export interface GradeToSend {
  id: string
  platformId: string
  lineItem: string
  body: string
  attempts: number
}

/** A room of a platform, in which a session has ended that is not reported yet. */
export interface UngradedRoom {
  tag: string
  platformId: string
  lineItem: string
  lastSessionId: number
}

export type GradeStore = ReturnType<typeof gradeStore>

export function gradeStore(db: Kysely<MainSchema>) {
  return {
    /** Notes what the newest launch said about its room. */
    saveResource: async (tag: string, platformId: string, lineItem: string | null): Promise<void> => {
      await db
        .insertInto('lti_resources')
        .values({ tag, platform_id: platformId, line_item: lineItem, graded_session_id: 0 })
        .onConflict(conflict => conflict.column('tag').doUpdateSet({ line_item: lineItem }))
        .execute()
    },

    ungraded: async (limit: number, except: readonly string[] = []): Promise<UngradedRoom[]> => {
      const rows = await db
        .selectFrom('lti_resources as resource')
        .innerJoin('conference_sessions as session', join =>
          join
            .onRef('session.tag', '=', 'resource.tag')
            .onRef('session.id', '>', 'resource.graded_session_id')
            .on('session.ended_at_ms', 'is not', null),
        )
        .select(['resource.tag', 'resource.platform_id', 'resource.line_item'])
        .select(eb => eb.fn.max('session.id').as('last'))
        .where('resource.line_item', 'is not', null)
        .$if(except.length > 0, query => query.where('resource.tag', 'not in', except))
        .groupBy(['resource.tag', 'resource.platform_id', 'resource.line_item'])
        .limit(limit)
        .execute()
      return rows.map(row => ({
        tag: row.tag,
        platformId: row.platform_id,
        lineItem: row.line_item as string,
        lastSessionId: Number(row.last),
      }))
    },

    /** The ended sessions of a room up to that one. */
    sessionsOf: async (tag: string, last: number) =>
      db
        .selectFrom('conference_sessions')
        .select(['id', 'started_at_ms as startedAtMs', 'ended_at_ms as endedAtMs'])
        .where('tag', '=', tag)
        .where('id', '<=', last)
        .where('ended_at_ms', 'is not', null)
        .execute(),

    /** Queues the grades of the room, which replace older ones of the same people. All or nothing; nothing if another server was first. */
    add: (room: UngradedRoom, grades: readonly NewGrade[], nowMs: number): Promise<void> =>
      inTransaction(db, async store => {
        const { numUpdatedRows } = await store
          .updateTable('lti_resources')
          .set({ graded_session_id: room.lastSessionId })
          .where('tag', '=', room.tag)
          .where('graded_session_id', '<', room.lastSessionId)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return
        for (const { id, user, body } of grades) {
          const queued = {
            id,
            platform_id: room.platformId,
            line_item: room.lineItem,
            body,
            status: 'pending',
            attempts: 0,
            next_attempt_at_ms: nowMs,
            lease: null,
            response_status: null,
            error: null,
          }
          await store
            .insertInto('lti_grades')
            .values({ tag: room.tag, user, ...queued })
            .onConflict(conflict => conflict.columns(['tag', 'user']).doUpdateSet(queued))
            .execute()
        }
      }),

    due: async (nowMs: number, { all, except }: DueLimits): Promise<DueDelivery[]> => {
      const rows = await db
        .selectFrom('lti_grades')
        .select(['id', 'platform_id'])
        .where('status', '=', 'pending')
        .where('next_attempt_at_ms', '<=', nowMs)
        .$if(except.length > 0, query => query.where('platform_id', 'not in', except))
        .orderBy('next_attempt_at_ms')
        .limit(all)
        .execute()
      return rows.map(row => ({ id: row.id, target: row.platform_id }))
    },

    bringForward: (byMs: number, nowMs: number): Promise<void> =>
      bringForward(db, 'lti_grades', sql<boolean>`status = 'pending'`, { byMs, nowMs }),

    lease: async (ids: string[], { token, untilMs }: Lease, nowMs: number): Promise<GradeToSend[]> => {
      if (ids.length === 0) return []
      const rows = await db
        .updateTable('lti_grades')
        .set({ lease: token, next_attempt_at_ms: untilMs })
        .where('id', 'in', eb =>
          eb
            .selectFrom('lti_grades')
            .select('id')
            .where('id', 'in', ids)
            .where('status', '=', 'pending')
            .where('next_attempt_at_ms', '<=', nowMs)
            .$if(isPostgres(db), query => query.forUpdate().skipLocked()),
        )
        .returning(['id', 'platform_id', 'line_item', 'body', 'attempts'])
        .execute()
      return rows.map(row => ({
        id: row.id,
        platformId: row.platform_id,
        lineItem: row.line_item,
        body: row.body,
        attempts: row.attempts,
      }))
    },

    /** Only the holder of the lease may settle; a grade that was replaced meanwhile has another id. */
    settle: async (id: string, token: string, settlement: Settlement): Promise<void> => {
      await db
        .updateTable('lti_grades')
        .set(eb => ({ lease: null, attempts: eb('attempts', '+', 1), ...columnsOf(settlement) }))
        .where('id', '=', id)
        .where('lease', '=', token)
        .execute()
    },
  }
}
