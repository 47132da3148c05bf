import { type Kysely, sql } from 'kysely'
import type { CallStore } from '../calls/ports.ts'
import { load, loadOne } from './call-rows.ts'
import { addCall, type CallWriteOptions, locksOf, saveCall } from './call-writes.ts'
import type { MainSchema } from './schema.ts'
import { inTransaction } from './transaction.ts'

type Db = Kysely<MainSchema>

export function callStore(db: Db, options: CallWriteOptions = { isForPush: false }): CallStore {
  const openOf = (userId: number) =>
    db
      .selectFrom('calls')
      .selectAll()
      .where('state', '<>', 'ended')
      .where(({ or, eb, exists, selectFrom }) =>
        or([
          eb('inviter_id', '=', userId),
          exists(
            selectFrom('call_people')
              .select('call_id')
              .whereRef('call_id', '=', 'calls.id')
              .where('user_id', '=', userId),
          ),
        ]),
      )
      .orderBy('id', 'desc')
  return {
    add: call => inTransaction(db, transaction => addCall(transaction, call, options), locksOf(call)),
    find: async id => {
      const row = await db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? loadOne(db, row) : null
    },
    save: call => inTransaction(db, transaction => saveCall(transaction, call, options), locksOf(call)),
    listOpenOf: async (userId, limit) => load(db, await openOf(userId).limit(limit).execute()),
    findOpenIn: async (tag, userId) => {
      const row = await openOf(userId).where('tag', '=', tag).limit(1).executeTakeFirst()
      return row ? loadOne(db, row) : null
    },
    listOpen: async ({ state, tag }) => {
      const rows = await db
        .selectFrom('calls')
        .selectAll()
        .where('state', '<>', 'ended')
        .$if(state !== undefined, query => query.where('state', '=', state as string))
        .$if(tag !== undefined, query => query.where('tag', '=', tag as string))
        .orderBy('id')
        .execute()
      return load(db, rows)
    },
    list: async (userId, before, limit) => {
      const ids = await idsOf(db, userId, before, limit + 1) // one more shows whether there are older ones
      if (ids.length === 0) return { calls: [], hasMore: false }
      const rows = await db
        .selectFrom('calls')
        .selectAll()
        .where('id', 'in', ids.slice(0, limit))
        .orderBy('id', 'desc')
        .execute()
      return { calls: await load(db, rows), hasMore: ids.length > limit }
    },
    countOpenBy: async inviterId => {
      const { count } = await db
        .selectFrom('calls')
        .select(query => query.fn.countAll<number>().as('count'))
        .where('inviter_id', '=', inviterId)
        .where('state', '<>', 'ended')
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    whoHasRinging: async (userIds, atLeast) => {
      const rows = await db
        .selectFrom('calls')
        .innerJoin('call_people', 'call_people.call_id', 'calls.id')
        .select('call_people.user_id')
        .where('calls.state', '<>', 'ended')
        .where('call_people.state', '=', 'ringing')
        .where('call_people.user_id', 'in', userIds)
        .groupBy('call_people.user_id')
        .having(query => query.fn.countAll(), '>=', atLeast)
        .execute()
      return rows.map(row => row.user_id)
    },
    countMissed: async (userId, max) => {
      const rows = await db
        .selectFrom('call_people')
        .select('call_id')
        .where('user_id', '=', userId)
        .where('state', '=', 'missed')
        .where('call_id', '>', await seenBy(db, userId))
        .limit(max)
        .execute()
      return rows.length
    },
    setSeen: async (userId, callId) => {
      await db
        .insertInto('call_seen')
        .values({ user_id: userId, call_id: callId })
        .onConflict(conflict =>
          conflict.column('user_id').doUpdateSet({ call_id: callId }).where('call_seen.call_id', '<', callId),
        )
        .execute()
    },
    sweep: async ({ beforeMs, keepPerInviter, limit }) => {
      const ended = db
        .selectFrom('calls')
        .select(['id', 'created_at_ms'])
        .select(sql<number>`row_number() over (partition by inviter_id order by id desc)`.as('position'))
        .where('state', '=', 'ended')
      const removable = db
        .selectFrom(ended.as('ended'))
        .select('id')
        .where(({ or, eb }) => or([eb('created_at_ms', '<', beforeMs), eb('position', '>', keepPerInviter)]))
        .limit(limit)
      const { numDeletedRows } = await db.deleteFrom('calls').where('id', 'in', removable).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

/** The ids of the calls of the account, newest first. Each part has an index in this order. */
async function idsOf(db: Db, userId: number, before: number | null, limit: number): Promise<number[]> {
  const asInviter = await db
    .selectFrom('calls')
    .select('id')
    .where('inviter_id', '=', userId)
    .$if(before !== null, query => query.where('id', '<', before as number))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  const asInvited = await db
    .selectFrom('call_people')
    .select('call_id as id')
    .where('user_id', '=', userId)
    .$if(before !== null, query => query.where('call_id', '<', before as number))
    .orderBy('call_id', 'desc')
    .limit(limit)
    .execute()
  return [...asInviter, ...asInvited]
    .map(({ id }) => id)
    .sort((a, b) => b - a)
    .slice(0, limit)
}

async function seenBy(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('call_seen')
    .select('call_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.call_id ?? 0
}
