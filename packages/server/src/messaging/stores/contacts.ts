import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { isPostgres } from '../../platform/db/dialect.ts'
import { prepared } from '../../platform/db/prepared.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { DecideRelation, RefusalCode, StoredContact } from '../ports.ts'
import { directChatOf } from './direct-chat.ts'
import { changeRelations, relationLocks } from './relations.ts'

/** The conversation of the two accounts of a row. */
const chatOfPair = directChatOf(sql`k.user_id`, sql`k.contact_id`)

/** Databases limit the parameters of a statement. */
const ACCOUNTS_AT_ONCE = 1_000

/** Relations between two accounts: contacts, requests and blocks, one row for each side. */
export type ContactStore = ReturnType<typeof contactStore>

export function contactStore(db: Kysely<MainSchema>) {
  // SQLite's LIKE compares as PostgreSQL's ILIKE does: without the case of letters, in ASCII at least.
  const like = isPostgres(db) ? sql`ILIKE` : sql`LIKE`
  const shown = (userId: number) =>
    db
      .selectFrom('contacts as k')
      .innerJoin('users as u', 'u.id', 'k.contact_id')
      .leftJoin('mutes', join =>
        join.onRef('mutes.user_id', '=', 'k.user_id').on('mutes.chat_id', '=', chatOfPair),
      )
      .select(['k.contact_id', 'k.state', 'u.login', 'u.display_name', 'mutes.user_id as muted_by'])
      .where('k.user_id', '=', userId)
      .where('k.state', '!=', 'declined')
      .where('u.deleted_at', 'is', null)
  const selectState = prepared(db, (userId: number, contactId: number) =>
    db
      .selectFrom('contacts')
      .select('state')
      .where('user_id', '=', userId)
      .where('contact_id', '=', contactId),
  )
  type Row = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number]
  const toContact = (row: Row): StoredContact => ({
    userId: row.contact_id,
    login: row.login,
    displayName: row.display_name,
    state: row.state as StoredContact['state'],
    isMuted: row.muted_by !== null,
  })
  return {
    /** All that are shown, without deleted accounts. */
    list: async (userId: number): Promise<StoredContact[]> => (await shown(userId).execute()).map(toContact),
    find: async (userId: number, contactIds: readonly number[]): Promise<StoredContact[]> => {
      if (contactIds.length === 0) return []
      const rows = await shown(userId)
        .where('k.contact_id', 'in', [...contactIds])
        .execute()
      return rows.map(toContact)
    },
    /** Whether the account has the other one as a contact, has had or sent a request, or has blocked the other one. */
    hasRelation: async (userId: number, otherId: number) => (await selectState(userId, otherId)).length > 0,
    isContact: async (userId: number, otherId: number) =>
      (await selectState(userId, otherId))[0]?.state === 'contact',
    /** Whether the other one is a contact of the account, or has asked to become one: nobody is asked then. */
    isContactOrAsks: async (userId: number, otherId: number) =>
      ['contact', 'incoming'].includes((await selectState(userId, otherId))[0]?.state ?? ''),
    /** Ids of the accounts in whose lists the account is: as a contact, with a request, or blocked. */
    whoLists: async (userId: number): Promise<number[]> => {
      const rows = await db
        .selectFrom('contacts')
        .select('user_id')
        .where('contact_id', '=', userId)
        .where('state', '!=', 'declined')
        .execute()
      return rows.map(row => row.user_id)
    },
    /** The contacts of many accounts at once. */
    listOfAll: async (userIds: readonly number[]): Promise<{ userId: number; contactId: number }[]> => {
      const contacts: { userId: number; contactId: number }[] = []
      for (let i = 0; i < userIds.length; i += ACCOUNTS_AT_ONCE)
        contacts.push(
          ...(await db
            .selectFrom('contacts')
            .select(['user_id as userId', 'contact_id as contactId'])
            .where('user_id', 'in', userIds.slice(i, i + ACCOUNTS_AT_ONCE))
            .where('state', '=', 'contact')
            .execute()),
        )
      return contacts
    },
    /** Those of the accounts that are contacts. */
    contactsAmong: async (userId: number, userIds: readonly number[]): Promise<number[]> => {
      if (userIds.length === 0) return []
      const rows = await db
        .selectFrom('contacts')
        .select('contact_id')
        .where('user_id', '=', userId)
        .where('contact_id', 'in', [...userIds])
        .where('state', '=', 'contact')
        .execute()
      return rows.map(row => row.contact_id)
    },
    /** The accounts among these that have blocked the account, or that it has blocked. */
    blockedAmong: async (userId: number, userIds: readonly number[]): Promise<number[]> => {
      if (userIds.length === 0) return []
      const rows = await db
        .selectFrom('contacts')
        .select(['user_id', 'contact_id'])
        .where('state', '=', 'blocked')
        .where(where =>
          where.or([
            where.and([where('user_id', '=', userId), where('contact_id', 'in', [...userIds])]),
            where.and([where('contact_id', '=', userId), where('user_id', 'in', [...userIds])]),
          ]),
        )
        .execute()
      return rows.map(row => (row.user_id === userId ? row.contact_id : row.user_id))
    },
    /** Applies a decision about two accounts in one transaction. Returns the refusal, or null. */
    change: (userId: number, otherId: number, decide: DecideRelation): Promise<RefusalCode | null> =>
      inTransaction(
        db,
        async transaction => {
          const result = await changeRelations(transaction, userId, otherId, decide)
          if (typeof result === 'string') return result
          await hideUnanswered(transaction, userId, otherId)
          return null
        },
        relationLocks([userId, otherId]),
      ),
    /**
     * Accounts whose login or name begins with the text, without the account that searches, those that have blocked it,
     * partners' persons, guests and programs.
     */
    search: async (
      userId: number,
      text: string,
      limit: number,
    ): Promise<{ userId: number; login: string; displayName: string }[]> => {
      const patterns = variantsOf(text).map(each => `${each.replace(/[\\%_]/g, '\\$&')}%`)
      const matches = (where: ExpressionBuilder<MainSchema, 'users'>) =>
        where.or(
          patterns.flatMap(pattern => [
            sql<boolean>`login ${like} ${pattern} ESCAPE '\\'`,
            sql<boolean>`display_name ${like} ${pattern} ESCAPE '\\'`,
            sql<boolean>`display_name ${like} ${`% ${pattern}`} ESCAPE '\\'`,
          ]),
        )
      const rows = await db
        .selectFrom('users')
        .select(['id', 'login', 'display_name'])
        .where('kind', '=', 'ordinary')
        .where('deleted_at', 'is', null)
        .where('id', '!=', userId)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('contacts')
                .select('contact_id')
                .whereRef('contacts.user_id', '=', 'users.id')
                .where('contact_id', '=', userId)
                .where('state', '=', 'blocked'),
            ),
          ),
        )
        .where(where =>
          where.or([where('login', 'not like', 'person-%'), where('password_hash', 'is not', null)]),
        )
        .where(matches)
        .orderBy('display_name')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(row => ({ userId: row.id, login: row.login, displayName: row.display_name }))
    },
  }
}

/**
 * Databases compare letters beyond ASCII as they are: as typed, in lower case, and beginning with a capital, also with that of
 * Turkish.
 */
function variantsOf(text: string): string[] {
  const lower = text.toLowerCase()
  const [first = '', ...rest] = lower
  const capitals = first === 'i' || first === 'ı' ? ['I', 'İ'] : [first.toUpperCase()]
  return [...new Set([text, lower, ...capitals.map(capital => capital + rest.join(''))])]
}

/** A request that is declined takes its conversation out of the list. */
async function hideUnanswered(db: Kysely<MainSchema>, userId: number, otherId: number): Promise<void> {
  await sql`
    DELETE FROM conversation_members
    WHERE user_id = ${userId} AND other_id = ${otherId} AND EXISTS (
      SELECT 1 FROM contacts WHERE user_id = ${userId} AND contact_id = ${otherId} AND state = 'declined')
  `.execute(db)
}
