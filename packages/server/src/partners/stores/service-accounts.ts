import type { Kysely, Selectable } from 'kysely'
import type { IntegrationSchema, ServiceAccountsTable } from '../../platform/db/schema.ts'
import type { ServiceAccount } from '../ports.ts'

export const toAccount = (row: Selectable<ServiceAccountsTable>): ServiceAccount => ({
  name: row.name,
  clientId: row.client_id,
  secretHash: row.secret_hash,
  scopes: parseScopes(row.scopes),
  enabled: row.enabled === 1,
  createdAt: row.created_at,
})

/** Operators may edit the table; an invalid list grants nothing. */
function parseScopes(text: string): string[] {
  try {
    const scopes: unknown = JSON.parse(text)
    return Array.isArray(scopes) ? scopes.filter(scope => typeof scope === 'string') : []
  } catch {
    return []
  }
}

export type ServiceAccountStore = ReturnType<typeof serviceAccountStore>

export function serviceAccountStore(db: Kysely<IntegrationSchema>) {
  return {
    /** False when the name is taken. */
    add: async (account: ServiceAccount) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('service_accounts')
        .values({
          name: account.name,
          client_id: account.clientId,
          secret_hash: account.secretHash,
          scopes: JSON.stringify(account.scopes),
          enabled: account.enabled ? 1 : 0,
          created_at: account.createdAt,
        })
        .onConflict(conflict => conflict.column('name').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
    find: async (name: string): Promise<ServiceAccount | null> => {
      const row = await db
        .selectFrom('service_accounts')
        .selectAll()
        .where('name', '=', name)
        .executeTakeFirst()
      return row ? toAccount(row) : null
    },
    list: async (): Promise<ServiceAccount[]> =>
      (await db.selectFrom('service_accounts').selectAll().orderBy('name').execute()).map(toAccount),
    /** Null when there is no such account. */
    update: async (
      name: string,
      { scopes, enabled }: { scopes?: string[]; enabled?: boolean },
    ): Promise<ServiceAccount | null> => {
      const row = await db
        .updateTable('service_accounts')
        .set({
          scopes: scopes && JSON.stringify(scopes),
          enabled: enabled === undefined ? undefined : enabled ? 1 : 0,
        })
        .where('name', '=', name)
        .returningAll()
        .executeTakeFirst()
      return row ? toAccount(row) : null
    },
    /** Has no effect if the hash is another one by now. */
    replaceHash: async (name: string, from: string, to: string) => {
      await db
        .updateTable('service_accounts')
        .set({ secret_hash: to })
        .where('name', '=', name)
        .where('secret_hash', '=', from)
        .execute()
    },
  }
}
