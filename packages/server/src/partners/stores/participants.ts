import type { Kysely } from 'kysely'
import type { IntegrationSchema } from '../../platform/db/schema.ts'

/** Databases limit the parameters of a statement, and a room has had tens of thousands of guests in its years. */
const ACCOUNTS_AT_ONCE = 1_000

/** The accounts of people in rooms of partners, by the ids that partners have for them. */
export type ParticipantStore = ReturnType<typeof participantStore>

export function participantStore(db: Kysely<IntegrationSchema>) {
  const find = async (ownerClientId: number, externalId: string) => {
    const row = await db
      .selectFrom('participants')
      .select('client_id')
      .where('owner_client_id', '=', ownerClientId)
      .where('external_id', '=', externalId)
      .executeTakeFirst()
    return row?.client_id ?? null
  }
  return {
    /** The account bound to an identity key (rule PERSON-1). */
    find,
    /**
     * The external ids for each lookup, by account. Accounts that are bound to no key of the technical user are left
     * out.
     */
    externalIds: async (
      lookups: { clientId: number; userIds: number[] }[],
    ): Promise<Map<number, string>[]> => {
      const accounts = [...new Set(lookups.flatMap(({ userIds }) => userIds))]
      if (accounts.length === 0) return lookups.map(() => new Map())
      const owners = [...new Set(lookups.map(({ clientId }) => clientId))]
      const read = (some: number[]) =>
        db
          .selectFrom('participants')
          .select(['owner_client_id', 'client_id', 'external_id'])
          .where('owner_client_id', 'in', owners)
          .where('client_id', 'in', some)
          .execute()
      const rows: Awaited<ReturnType<typeof read>> = []
      for (let i = 0; i < accounts.length; i += ACCOUNTS_AT_ONCE)
        rows.push(...(await read(accounts.slice(i, i + ACCOUNTS_AT_ONCE))))
      return lookups.map(({ clientId, userIds }) => {
        const wanted = new Set(userIds)
        const own = rows.filter(row => row.owner_client_id === clientId && wanted.has(row.client_id))
        return new Map(own.map(row => [row.client_id, row.external_id]))
      })
    },
    /** Binds the key unless it is bound, and returns the bound account. */
    bind: async (
      ownerClientId: number,
      externalId: string,
      clientId: number,
      at: number,
    ): Promise<number> => {
      await db
        .insertInto('participants')
        .values({
          owner_client_id: ownerClientId,
          external_id: externalId,
          client_id: clientId,
          created_at: at,
        })
        .onConflict(conflict => conflict.columns(['owner_client_id', 'external_id']).doNothing())
        .execute()
      return (await find(ownerClientId, externalId)) ?? clientId
    },
  }
}
