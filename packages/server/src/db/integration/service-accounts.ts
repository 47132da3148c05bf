import type { Kysely, Selectable } from 'kysely'
import type { ServiceAccount, ServiceAccountStore } from '../../integration/ports.ts'
import type { IntegrationSchema, ServiceAccountsTable } from '../schema.ts'

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

export function serviceAccountStore(db: Kysely<IntegrationSchema>): ServiceAccountStore {
  return {
    add: async account => {
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
    find: async name => {
      const row = await db
        .selectFrom('service_accounts')
        .selectAll()
        .where('name', '=', name)
        .executeTakeFirst()
      return row ? toAccount(row) : null
    },
    list: async () =>
      (await db.selectFrom('service_accounts').selectAll().orderBy('name').execute()).map(toAccount),
    update: async (name, { scopes, enabled }) => {
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
    replaceHash: async (name, from, to) => {
      await db
        .updateTable('service_accounts')
        .set({ secret_hash: to })
        .where('name', '=', name)
        .where('secret_hash', '=', from)
        .execute()
    },
  }
}
