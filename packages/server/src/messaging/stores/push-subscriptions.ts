import { type Kysely, type Selectable, sql } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { PushSubscriptionsTable } from '../../platform/db/tables/push.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { PushReceiver, PushSubscription, PushTarget } from '../push/ports.ts'

type Row = Selectable<PushSubscriptionsTable>

/** SQLite admits 32,766 parameters for each statement, PostgreSQL twice as many. */
const MAX_IDS_PER_QUERY = 5_000

export type PushSubscriptionStore = ReturnType<typeof pushSubscriptionStore>

export function pushSubscriptionStore(db: Kysely<MainSchema>) {
  return {
    /**
     * Stores it, in place of the one with the same endpoint, and removes in the same transaction: `replaces` of the same
     * account, the same browser's or device's subscriptions of other accounts (rule PUSH-8), and the oldest beyond `max`.
     * It lasts as long as the sign-in.
     */
    save: (
      subscription: PushSubscription,
      { authSessionId, replaces, max }: { authSessionId: string; replaces: string | null; max: number },
    ): Promise<void> =>
      inTransaction(
        db,
        async db => {
          const row = toRow(subscription)
          const key = { client_id: row.client_id, endpoint: row.endpoint }
          await removeOthers(db, subscription)
          if (replaces !== null && replaces !== row.endpoint) await removeOne(db, row.client_id, replaces)
          await db
            .insertInto('push_subscriptions')
            .values(row)
            .onConflict(conflict => conflict.columns(['client_id', 'endpoint']).doUpdateSet(row))
            .execute()
          const signIn = { auth_session_id: authSessionId, revision: await nextRevision(db, row.client_id) }
          await db
            .insertInto('push_subscription_sign_ins')
            .values({ ...key, ...signIn })
            .onConflict(conflict => conflict.columns(['client_id', 'endpoint']).doUpdateSet(signIn))
            .execute()
          const surplus = await withSignIn(db)
            .select('push.endpoint')
            .where('push.client_id', '=', row.client_id)
            .where('push.endpoint', '!=', row.endpoint)
            .orderBy(sql`coalesce(link.revision, 0)`, 'desc')
            .orderBy('push.updated_at', 'desc')
            .orderBy('push.endpoint')
            .offset(max - 1)
            .limit(max)
            .execute()
          for (const { endpoint } of surplus) await removeOne(db, row.client_id, endpoint)
        },
        [`push ${subscription.endpoint}`, `pushes of ${subscription.clientId}`],
      ),

    /** False when there was none. */
    remove: (clientId: number, endpoint: string): Promise<boolean> =>
      inTransaction(db, db => removeOne(db, clientId, endpoint)),

    /** Null as well where `receiversOf` names none: the sign-in may have ended since. */
    findValid: async (clientId: number, endpoint: string, nowMs: number): Promise<PushTarget | null> => {
      const row = await valid(db, nowMs)
        .selectAll('push')
        .select('users.language')
        .where('push.client_id', '=', clientId)
        .where('push.endpoint', '=', endpoint)
        .executeTakeFirst()
      return row ? { ...toSubscription(row), language: row.language } : null
    },

    /** The newest first. */
    listOf: async (clientId: number): Promise<PushSubscription[]> => {
      const rows = await db
        .selectFrom('push_subscriptions')
        .selectAll()
        .where('client_id', '=', clientId)
        .orderBy('updated_at', 'desc')
        .orderBy('endpoint')
        .execute()
      return rows.map(toSubscription)
    },

    /** The subscriptions of the providers with permission, of present accounts and valid sign-ins. */
    receiversOf: async (
      userIds: readonly number[],
      providers: readonly string[],
      nowMs: number,
    ): Promise<PushReceiver[]> => {
      if (providers.length === 0) return []
      const receivers = []
      for (let start = 0; start < userIds.length; start += MAX_IDS_PER_QUERY) {
        const rows = await valid(db, nowMs)
          .select(['push.client_id as clientId', 'push.endpoint', 'users.language'])
          .where('push.client_id', 'in', userIds.slice(start, start + MAX_IDS_PER_QUERY))
          .where('push.provider', 'in', providers)
          .execute()
        receivers.push(...rows)
      }
      return receivers
    },

    count: async (): Promise<number> => {
      const { count } = await db
        .selectFrom('push_subscriptions')
        .select(query => query.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Removes those that have expired, of deleted accounts, and of sign-ins that have ended. */
    sweep: async (nowMs: number) => {
      const invalid = await withSignIn(db)
        .select(['push.client_id', 'push.endpoint'])
        .where(({ eb, or }) =>
          or([
            eb('sign_in.id', 'is', null),
            eb('sign_in.revoked_at', 'is not', null),
            eb('sign_in.expires_at', '<=', Math.floor(nowMs / 1000)),
            eb('users.deleted_at', 'is not', null),
            eb('push.expiration_time', '<=', nowMs),
          ]),
        )
        .execute()
      if (invalid.length === 0) return
      await inTransaction(db, async db => {
        for (const { client_id, endpoint } of invalid) await removeOne(db, client_id, endpoint)
      })
    },
  }
}

/** Subscriptions with what they depend on. */
const withSignIn = (db: Kysely<MainSchema>) =>
  db
    .selectFrom('push_subscriptions as push')
    .leftJoin('push_subscription_sign_ins as link', join =>
      join.onRef('link.client_id', '=', 'push.client_id').onRef('link.endpoint', '=', 'push.endpoint'),
    )
    .leftJoin('auth_sessions as sign_in', 'sign_in.id', 'link.auth_session_id')
    .leftJoin('users', 'users.id', 'push.client_id')

/** Those with permission, of present accounts and valid sign-ins. */
const valid = (db: Kysely<MainSchema>, nowMs: number) =>
  withSignIn(db)
    .where('push.permission', 'not in', ['denied', 'unsupported'])
    .where('sign_in.revoked_at', 'is', null)
    .where('sign_in.expires_at', '>', Math.floor(nowMs / 1000)) // also excludes missing ones
    .where('users.deleted_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .where(({ eb, or }) =>
      or([eb('push.expiration_time', 'is', null), eb('push.expiration_time', '>', nowMs)]),
    )

/** MUST be called while the account is locked. */
async function nextRevision(db: Kysely<MainSchema>, clientId: number): Promise<number> {
  const { newest } = await db
    .selectFrom('push_subscription_sign_ins')
    .select(({ fn }) => fn.max('revision').as('newest'))
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow()
  return Number(newest ?? 0) + 1
}

/** Together with the deliveries that wait for it. */
async function removeOne(db: Kysely<MainSchema>, clientId: number, endpoint: string): Promise<boolean> {
  for (const table of ['push_deliveries', 'push_subscription_sign_ins'] as const)
    await db.deleteFrom(table).where('client_id', '=', clientId).where('endpoint', '=', endpoint).execute()
  const { numDeletedRows } = await db
    .deleteFrom('push_subscriptions')
    .where('client_id', '=', clientId)
    .where('endpoint', '=', endpoint)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** The keys are secrets of the browser: who knows them is the same browser, signed in to another account. */
async function removeOthers(db: Kysely<MainSchema>, subscription: PushSubscription): Promise<void> {
  const others = await db
    .selectFrom('push_subscriptions')
    .select('client_id')
    .where('endpoint', '=', subscription.endpoint)
    .where('client_id', '!=', subscription.clientId)
    .where('provider', '=', subscription.provider)
    .where('p256dh', '=', subscription.p256dh)
    .where('auth', '=', subscription.auth)
    .execute()
  for (const { client_id } of others) await removeOne(db, client_id, subscription.endpoint)
}

const toSubscription = (row: Row): PushSubscription => ({
  clientId: row.client_id,
  endpoint: row.endpoint,
  provider: row.provider,
  token: row.token,
  p256dh: row.p256dh,
  auth: row.auth,
  permission: row.permission as PushSubscription['permission'],
  platform: row.platform,
  userAgent: row.user_agent,
  expirationTime: row.expiration_time,
  subscriptionJson: row.subscription_json,
  updatedAt: row.updated_at,
})

const toRow = (subscription: PushSubscription): Row => ({
  client_id: subscription.clientId,
  endpoint: subscription.endpoint,
  provider: subscription.provider,
  token: subscription.token,
  p256dh: subscription.p256dh,
  auth: subscription.auth,
  permission: subscription.permission,
  platform: subscription.platform,
  user_agent: subscription.userAgent,
  expiration_time: subscription.expirationTime,
  subscription_json: subscription.subscriptionJson,
  updated_at: subscription.updatedAt,
})
