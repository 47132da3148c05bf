import { type Kysely, type Selectable, sql } from 'kysely'
import type { IntegrationSchema, ServiceAccountsTable } from '../../platform/db/schema.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { ServiceAccount } from '../ports.ts'

export const toAccount = (row: Selectable<ServiceAccountsTable>): ServiceAccount => ({
  name: row.name,
  clientId: row.client_id,
  ...parseSecret(row.secret_hash),
  scopes: parseScopes(row.scopes),
  enabled: row.enabled === 1,
  createdAt: row.created_at,
})

/**
 * Operators may write the table, whose columns are fixed. While a secret is being replaced the column has the new hash, the Unix
 * seconds until when the former one is valid, and the former one, with spaces in between.
 */
const REPLACING = /^(hmac-sha256:\S+) (\d+) (.+)$/s

function parseSecret(column: string): Pick<ServiceAccount, 'secretHash' | 'previous'> {
  const [, secretHash = column, expiresAt, previous] = REPLACING.exec(column) ?? []
  if (previous === undefined) return { secretHash }
  return { secretHash, previous: { secretHash: previous, expiresAt: Number(expiresAt) } }
}

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
  const secretOf = async (name: string): Promise<string | null> => {
    const query = db.selectFrom('service_accounts').select('secret_hash').where('name', '=', name)
    return (await query.executeTakeFirst())?.secret_hash ?? null
  }
  /** False: it was replaced meanwhile. */
  const replaceSecret = async (name: string, from: string, to: string): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('service_accounts')
      .set({ secret_hash: to })
      .where('name', '=', name)
      .where('secret_hash', '=', from)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }
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
    /** The names of those that are enabled. */
    enabledAmong: async (names: readonly string[]): Promise<Set<string>> => {
      if (names.length === 0) return new Set()
      const rows = await db
        .selectFrom('service_accounts')
        .select('name')
        .where('name', 'in', names)
        .where('enabled', '=', 1)
        .execute()
      return new Set(rows.map(({ name }) => name))
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
    /**
     * Replaces the secret; the one before stays valid until then. `settledAt`: only if no earlier one is valid at that time, in
     * Unix seconds; else false. Null when there is no such account.
     */
    rotate: async (
      name: string,
      next: { secretHash: string; previousUntil: number; settledAt?: number },
    ): Promise<boolean | null> => {
      for (;;) {
        const column = await secretOf(name)
        if (column === null) return null
        const { secretHash: former, previous } = parseSecret(column)
        if (next.settledAt !== undefined && previous && previous.expiresAt > next.settledAt) return false
        if (await replaceSecret(name, column, `${next.secretHash} ${next.previousUntil} ${former}`))
          return true
      }
    },
    /** The secret before is not valid any more. False when there is no such account. */
    finishRotation: async (name: string): Promise<boolean> => {
      for (;;) {
        const column = await secretOf(name)
        if (column === null) return false
        if (await replaceSecret(name, column, parseSecret(column).secretHash)) return true
      }
    },
    /** Removes the account with its webhook and its pending deliveries. False when there is no such account. */
    remove: (name: string): Promise<boolean> =>
      inTransaction(db, async store => {
        await store.deleteFrom('webhook_subscriptions').where('service_account', '=', name).execute()
        await store.deleteFrom('webhook_deliveries').where('service_account', '=', name).execute()
        const { numDeletedRows } = await store
          .deleteFrom('service_accounts')
          .where('name', '=', name)
          .executeTakeFirst()
        return numDeletedRows === 1n
      }),
    /** Has no effect if the hash is another one by now. */
    replaceHash: async (name: string, from: string, to: string) => {
      await db
        .updateTable('service_accounts')
        .set({ secret_hash: sql<string>`CAST(${to} AS TEXT) || substr(secret_hash, ${from.length + 1})` })
        .where('name', '=', name)
        .where(
          sql<boolean>`(secret_hash = ${from} OR substr(secret_hash, 1, ${from.length + 1}) = ${`${from} `})`,
        )
        .execute()
    },
  }
}
