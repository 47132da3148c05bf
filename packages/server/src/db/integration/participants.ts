import type { Kysely } from 'kysely'
import type { ParticipantStore } from '../../integration/ports.ts'
import type { IntegrationSchema } from '../schema.ts'

export function participantStore(db: Kysely<IntegrationSchema>): ParticipantStore {
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
    find,
    bind: async (ownerClientId, externalId, clientId, at) => {
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
