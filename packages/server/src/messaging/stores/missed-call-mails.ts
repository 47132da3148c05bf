import type { Language } from '@lectern/protocol'
import { type Kysely, sql } from 'kysely'
import { bringForward } from '../../platform/db/bring-forward.ts'
import { isPostgres } from '../../platform/db/dialect.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { DueDelivery, DueLimits, Lease } from '../../platform/delivery/ports.ts'
import type { Call } from '../calls/ports.ts'
import type { MailSettlement, MissedCallDelivery, MissedCallNotice } from '../missed-calls/ports.ts'

type Db = Kysely<MainSchema>

const HOUR_MS = 3_600_000
/** Mails to one person, whoever calls (rule MISS-4). */
const MAILS_PER_HOUR = 5
/** Attempts of a mail, with those of processes that were killed meanwhile (rule MISS-3). */
const ATTEMPTS_MAX = 5
/** All mails go to one mail server, which is this target. */
const TARGET = 'mail'

export type MissedCallMailStore = ReturnType<typeof missedCallMailStore>

/**
 * Stores a mail for each person who has missed the call and wants mails, within the limits (rules MISS-1 and MISS-4).
 * Call it in the transaction that ends the call, which has the locks of its people.
 */
export async function rememberMissedCall(db: Db, { id, people, inviter, state }: Call): Promise<void> {
  const missed = people.filter(each => each.state.is === 'missed').map(({ userId }) => userId)
  if (state.is !== 'ended' || missed.length === 0) return
  const receivers = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', missed)
    .where('missed_call_mails', '=', 1)
    .where('email', 'is not', null)
    .execute()
  for (const { id: userId } of receivers) {
    if (await isLimited(db, { userId, inviterId: inviter.userId, atMs: state.endedAtMs })) continue
    await db
      .insertInto('missed_call_mails')
      .values({
        id: `${id}-${userId}`,
        call_id: id,
        user_id: userId,
        inviter_id: inviter.userId,
        state: 'pending',
        attempts: 0,
        next_attempt_at_ms: state.endedAtMs,
        lease: null,
        created_at_ms: state.endedAtMs,
      })
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
}

async function isLimited(
  db: Db,
  { userId, inviterId, atMs }: { userId: number; inviterId: number; atMs: number },
): Promise<boolean> {
  const recent = await db
    .selectFrom('missed_call_mails')
    .select('inviter_id')
    .where('user_id', '=', userId)
    .where('created_at_ms', '>', atMs - HOUR_MS)
    .where('created_at_ms', '<', atMs + HOUR_MS) // others are of a time before the clock was set back
    .execute()
  return recent.length >= MAILS_PER_HOUR || recent.some(row => row.inviter_id === inviterId)
}

/** The queue of mails of missed calls. Times are in milliseconds. */
export function missedCallMailStore(db: Db) {
  const due = (nowMs: number) =>
    db
      .selectFrom('missed_call_mails')
      .select('id')
      .where('state', '=', 'pending')
      .where('attempts', '<', ATTEMPTS_MAX)
      .where('next_attempt_at_ms', '<=', nowMs)
  return {
    due: async (nowMs: number, { all, each, except }: DueLimits): Promise<DueDelivery[]> => {
      if (except.includes(TARGET)) return []
      const query = due(nowMs).orderBy('next_attempt_at_ms').limit(Math.min(all, each))
      return (await query.execute()).map(({ id }) => ({ id, target: TARGET }))
    },

    bringForward: (byMs: number, nowMs: number): Promise<void> =>
      bringForward(db, 'missed_call_mails', sql<boolean>`state = 'pending'`, { byMs, nowMs }),

    /** Counts the attempt at its beginning, so that attempts of killed processes count as well. */
    lease: async (ids: string[], { token, untilMs }: Lease, nowMs: number): Promise<MissedCallDelivery[]> => {
      if (ids.length === 0) return []
      const rows = await db
        .updateTable('missed_call_mails')
        .set(eb => ({ lease: token, next_attempt_at_ms: untilMs, attempts: eb('attempts', '+', 1) }))
        .where('id', 'in', () =>
          due(nowMs)
            .where('id', 'in', ids)
            .$if(isPostgres(db), query => query.forUpdate().skipLocked()),
        )
        .returning(['id', 'user_id as userId', 'attempts'])
        .execute()
      return rows
    },

    /** Null: the person does not want it, or must not get it any more (rule MISS-2). */
    describe: async (id: string): Promise<MissedCallNotice | null> => {
      const row = await db
        .selectFrom('missed_call_mails as mail')
        .innerJoin('calls', 'calls.id', 'mail.call_id')
        .innerJoin('users', 'users.id', 'mail.user_id')
        .select(['calls.id as callId', 'users.id as userId', 'users.email', 'users.language'])
        .select(['users.display_name as name', 'calls.inviter_name as caller'])
        .select('calls.created_at_ms as calledAtMs')
        .where('mail.id', '=', id)
        .where('users.missed_call_mails', '=', 1)
        .where('users.disabled_at', 'is', null)
        .where('calls.inviter_name', '<>', '')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('contacts')
                .select('contacts.state')
                .where('contacts.state', '=', 'blocked')
                .where(({ or, and, eb, ref }) =>
                  or([
                    and([
                      eb('contacts.user_id', '=', ref('mail.user_id')),
                      eb('contacts.contact_id', '=', ref('mail.inviter_id')),
                    ]),
                    and([
                      eb('contacts.user_id', '=', ref('mail.inviter_id')),
                      eb('contacts.contact_id', '=', ref('mail.user_id')),
                    ]),
                  ]),
                ),
            ),
          ),
        )
        .executeTakeFirst()
      if (!row || row.email === null) return null
      return { ...row, email: row.email, language: row.language as Language | null }
    },

    /** Stores the outcome; what was returned does not count. Without effect when the caller no longer holds the mail. */
    settle: async (id: string, leaseToken: string, settlement: MailSettlement): Promise<void> => {
      await db
        .updateTable('missed_call_mails')
        .set({
          lease: null,
          ...(settlement.is === 'done' ? { state: 'done' } : { next_attempt_at_ms: settlement.atMs }),
        })
        .$if(settlement.is === 'returned', query => query.set(eb => ({ attempts: eb('attempts', '-', 1) })))
        .where('id', '=', id)
        .where('lease', '=', leaseToken)
        .execute()
    },

    /** Removes what was created before that time, whether it was sent or not. */
    sweep: async (beforeMs: number): Promise<void> => {
      await db.deleteFrom('missed_call_mails').where('created_at_ms', '<', beforeMs).execute()
    },
  }
}
