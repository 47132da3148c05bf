import type { Migration } from '../migrate.ts'

/** How long recordings of partners are kept whose rooms do not say so. */
export const partnerRetention: Migration = async db => {
  await db.schema
    .createTable('partner_retention')
    .addColumn('client_id', 'integer', column => column.primaryKey().notNull())
    .addColumn('keep_days', 'integer', column => column.notNull())
    .execute()
}
