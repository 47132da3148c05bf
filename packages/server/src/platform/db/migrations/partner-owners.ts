import type { Migration } from '../migrate.ts'

/** People who own technical users, and the events of one type for their lists. */
export const partnerOwners: Migration = async db => {
  await db.schema
    .createTable('partner_owners')
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('partner_owners_pair', ['client_id', 'user_id'])
    .execute()
  await db.schema.createIndex('partner_owners_user_id').on('partner_owners').column('user_id').execute()
  await db.schema
    .createIndex('partner_events_type')
    .on('partner_events')
    .columns(['client_id', 'type', 'position'])
    .execute()
}
