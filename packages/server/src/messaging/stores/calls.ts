import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Call, CallPage, NewCall } from '../calls/ports.ts'
import { load, loadOne } from './call-rows.ts'
import { addCall, type CallWriteOptions, locksOf, saveCall } from './call-writes.ts'

type Db = Kysely<MainSchema>

export type CallStore = ReturnType<typeof callStore>

export function callStore(db: Db, options: CallWriteOptions = { isForPush: false, isForMail: false }) {
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
    /**
     * Stores a call once for each command of the inviter, and makes its conference if there is a title. Nothing is stored
     * when one of the two people of a call already rings the other one: `existing` is that call then, or the one that the
     * command has made or accepted before. Throws `conference_not_found` if the last call of the conference has ended (rule
     * CALL-16). One transaction decides.
     */
    add: (call: NewCall): Promise<{ is: 'added' | 'existing'; call: Call }> =>
      inTransaction(db, transaction => addCall(transaction, call, options), locksOf(call)),
    find: async (id: number): Promise<Call | null> => {
      const row = await db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? loadOne(db, row) : null
    },
    /**
     * Stores the changed states of a call that still has this revision, with the next one. Null when it was changed
     * meanwhile. A conference that was made for calls cannot be entered after the end of its last call.
     */
    save: (call: Call): Promise<Call | null> =>
      inTransaction(db, transaction => saveCall(transaction, call, options), locksOf(call)),
    /** The newest calls of the account that have not ended. */
    listOpenOf: async (userId: number, limit: number): Promise<Call[]> =>
      load(db, await openOf(userId).limit(limit).execute()),
    /** The newest open call of the account in the conference. */
    findOpenIn: async (tag: string, userId: number): Promise<Call | null> => {
      const row = await openOf(userId).where('tag', '=', tag).limit(1).executeTakeFirst()
      return row ? loadOne(db, row) : null
    },
    /** All calls in that state that are open, or were invited to the conference. */
    listOpen: async ({ state, tag }: { state?: 'ringing' | 'active'; tag?: string }): Promise<Call[]> => {
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
    /** The calls of the account, newest first. */
    list: async (userId: number, before: number | null, limit: number): Promise<CallPage> => {
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
    /** How many open calls the account has as the inviter. */
    countOpenBy: async (inviterId: number): Promise<number> => {
      const { count } = await db
        .selectFrom('calls')
        .select(query => query.fn.countAll<number>().as('count'))
        .where('inviter_id', '=', inviterId)
        .where('state', '<>', 'ended')
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    /** Those of the accounts for which at least `atLeast` calls ring. */
    whoHasRinging: async (userIds: number[], atLeast: number): Promise<number[]> => {
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
    /** Missed calls after the last that was seen, at most `max`. */
    countMissed: async (userId: number, max: number): Promise<number> => {
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
    /** Moves the mark of seen calls, never back. */
    setSeen: async (userId: number, callId: number) => {
      await db
        .insertInto('call_seen')
        .values({ user_id: userId, call_id: callId })
        .onConflict(conflict =>
          conflict.column('user_id').doUpdateSet({ call_id: callId }).where('call_seen.call_id', '<', callId),
        )
        .execute()
    },
    /**
     * Removes ended calls that were created before that time, and those beyond the newest of an inviter. At most `limit`;
     * returns how many.
     */
    sweep: async ({
      beforeMs,
      keepPerInviter,
      limit,
    }: {
      beforeMs: number
      keepPerInviter: number
      limit: number
    }): Promise<number> => {
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
      return inTransaction(db, async transaction => {
        const removed = await transaction
          .deleteFrom('calls')
          .where('id', 'in', removable)
          .returning('tag')
          .execute()
        if (removed.length > 0)
          await removeTitles(
            transaction,
            removed.map(({ tag }) => tag),
          )
        return removed.length
      })
    },
  }
}

/** Titles of calls are names. Those of recordings stay with their owner. */
async function removeTitles(db: Db, tags: string[]): Promise<void> {
  await sql`
    UPDATE conferences SET title = tag
    WHERE tag IN (${sql.join(tags)}) AND purpose = 'past_call'
      AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.tag = conferences.tag)
      AND NOT EXISTS (SELECT 1 FROM recordings r WHERE r.conference_tag = conferences.tag)`.execute(db)
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
