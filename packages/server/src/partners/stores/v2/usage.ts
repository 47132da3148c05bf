import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'

export interface Usage {
  participantMs: number
  recordedMs: number
  webhooks: number
}

/** Adds to the month of that time, in UTC. Call it in the transaction of what is counted. */
export async function addUsage(
  db: Kysely<MainSchema>,
  clientId: number,
  atMs: number,
  { participantMs = 0, recordedMs = 0, webhooks = 0 }: Partial<Usage>,
): Promise<void> {
  const month = new Date(atMs).toISOString().slice(0, 7)
  await db
    .insertInto('partner_usage')
    .values({
      client_id: clientId,
      month,
      participant_ms: participantMs,
      recorded_ms: recordedMs,
      webhooks,
    })
    .onConflict(conflict =>
      conflict.columns(['client_id', 'month']).doUpdateSet(eb => ({
        participant_ms: eb('partner_usage.participant_ms', '+', participantMs),
        recorded_ms: eb('partner_usage.recorded_ms', '+', recordedMs),
        webhooks: eb('partner_usage.webhooks', '+', webhooks),
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
    /** Of the files of the recordings of its rooms. */
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
