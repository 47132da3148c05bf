import type { Kysely } from 'kysely'
import type { IntegrationSchema } from '../../platform/db/schema.ts'

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
    /** By account. Accounts that are bound to no key are left out. */
    externalIds: async (ownerClientId: number, clientIds: number[]): Promise<Map<number, string>> => {
      if (clientIds.length === 0) return new Map()
      const rows = await db
        .selectFrom('participants')
        .select(['client_id', 'external_id'])
        .where('owner_client_id', '=', ownerClientId)
        .where('client_id', 'in', clientIds)
        .execute()
      return new Map(rows.map(row => [row.client_id, row.external_id]))
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
