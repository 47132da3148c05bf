import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'
import type { PartnerTables } from '../../../platform/db/tables/partner.ts'

export interface Usage {
  participantMs: number
  recordedMs: number
  webhooks: number
}

/** Adds to the months of their times, in UTC. Call it in the transaction of what is counted. */
export async function addUsage(
  db: Kysely<MainSchema>,
  used: (Partial<Usage> & { clientId: number; atMs: number })[],
): Promise<void> {
  const months = new Map<string, PartnerTables['partner_usage']>()
  for (const { clientId, atMs, participantMs = 0, recordedMs = 0, webhooks = 0 } of used) {
    const month = new Date(atMs).toISOString().slice(0, 7)
    const sum = months.get(`${clientId} ${month}`)
    months.set(`${clientId} ${month}`, {
      client_id: clientId,
      month,
      participant_ms: participantMs + (sum?.participant_ms ?? 0),
      recorded_ms: recordedMs + (sum?.recorded_ms ?? 0),
      webhooks: webhooks + (sum?.webhooks ?? 0),
    })
  }
  if (months.size === 0) return
  await db
    .insertInto('partner_usage')
    // In one order on all servers, which wait for each other's rows.
    .values([...months.values()].sort((a, b) => a.client_id - b.client_id || (a.month < b.month ? -1 : 1)))
    .onConflict(conflict =>
      conflict.columns(['client_id', 'month']).doUpdateSet(eb => ({
        participant_ms: eb('partner_usage.participant_ms', '+', eb.ref('excluded.participant_ms')),
        recorded_ms: eb('partner_usage.recorded_ms', '+', eb.ref('excluded.recorded_ms')),
        webhooks: eb('partner_usage.webhooks', '+', eb.ref('excluded.webhooks')),
      })),
    )
    .execute()
}

export type UsageStore = ReturnType<typeof usageStore>

export function usageStore(db: Kysely<MainSchema>) {
  return {
    ofMonth: async (clientId: number, month: string): Promise<Usage> => {
      const row = await db
        .selectFrom('partner_usage')
        .selectAll()
        .where('client_id', '=', clientId)
        .where('month', '=', month)
        .executeTakeFirst()
      return {
        participantMs: Number(row?.participant_ms ?? 0),
        recordedMs: Number(row?.recorded_ms ?? 0),
        webhooks: Number(row?.webhooks ?? 0),
      }
    },
    /** Bytes of the files of the recordings of the technical user's rooms. */
    storedBytes: async (clientId: number): Promise<number> => {
      const row = await db
        .selectFrom('blobs')
        .select(sql<number>`coalesce(sum(size), 0)`.as('bytes'))
        .where('owner_id', '=', clientId)
        .where('state', '=', 'ready')
        .executeTakeFirstOrThrow()
      return Number(row.bytes)
    },
  }
}
