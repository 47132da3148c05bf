import type { Kysely } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'

export type PartnerRetentionStore = ReturnType<typeof partnerRetentionStore>

/** The days after which recordings of the rooms of a technical user are deleted that have no time of their own. */
export function partnerRetentionStore(db: Kysely<MainSchema>) {
  return {
    /** Null: never. */
    find: async (clientId: number): Promise<number | null> => {
      const query = db.selectFrom('partner_retention').select('keep_days').where('client_id', '=', clientId)
      return (await query.executeTakeFirst())?.keep_days ?? null
    },
    list: async (): Promise<Map<number, number>> => {
      const rows = await db.selectFrom('partner_retention').selectAll().execute()
      return new Map(rows.map(row => [row.client_id, row.keep_days]))
    },
    set: async (clientId: number, keepDays: number | null): Promise<void> => {
      if (keepDays === null)
        await db.deleteFrom('partner_retention').where('client_id', '=', clientId).execute()
      else
        await db
          .insertInto('partner_retention')
          .values({ client_id: clientId, keep_days: keepDays })
          .onConflict(conflict => conflict.column('client_id').doUpdateSet({ keep_days: keepDays }))
          .execute()
    },
  }
}
