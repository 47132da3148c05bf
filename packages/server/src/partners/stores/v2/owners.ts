import type { Kysely } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'

export type OwnerStore = ReturnType<typeof ownerStore>

/** The owners of technical users. Accounts that are deleted lose what they own in the same transaction. */
export function ownerStore(db: Kysely<MainSchema>) {
  return {
    /** False when there are that many owners already. May be repeated. */
    add: (clientId: number, userId: number, at: number, max: number): Promise<boolean> =>
      inTransaction(
        db,
        async store => {
          const rows = await store
            .selectFrom('partner_owners')
            .select('user_id')
            .where('client_id', '=', clientId)
            .execute()
          if (rows.some(row => row.user_id === userId)) return true
          if (rows.length >= max) return false
          await store
            .insertInto('partner_owners')
            .values({ client_id: clientId, user_id: userId, created_at: at })
            .execute()
          return true
        },
        ['partner owners'],
      ),
    /** May be repeated. */
    remove: async (clientId: number, userId: number): Promise<void> => {
      await db
        .deleteFrom('partner_owners')
        .where('client_id', '=', clientId)
        .where('user_id', '=', userId)
        .execute()
    },
    removeAll: async (clientId: number): Promise<void> => {
      await db.deleteFrom('partner_owners').where('client_id', '=', clientId).execute()
    },
    /** Logins of the owners, in the order in which they were added. */
    logins: async (clientId: number): Promise<string[]> => {
      const rows = await db
        .selectFrom('partner_owners')
        .innerJoin('users', 'users.id', 'partner_owners.user_id')
        .select('users.login')
        .where('client_id', '=', clientId)
        .orderBy('partner_owners.created_at')
        .orderBy('users.login')
        .execute()
      return rows.map(({ login }) => login)
    },
    /** The technical users that the person owns. */
    clientsOf: async (userId: number): Promise<number[]> => {
      const rows = await db
        .selectFrom('partner_owners')
        .select('client_id')
        .where('user_id', '=', userId)
        .execute()
      return rows.map(row => row.client_id)
    },
  }
}
