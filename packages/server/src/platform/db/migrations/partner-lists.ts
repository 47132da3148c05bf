import type { Migration } from '../migrate.ts'

/** Lists of what is rare among millions of events and deliveries of a partner: those of a room, and those that failed. */
export const partnerLists: Migration = async db => {
  await db.schema
    .createIndex('partner_events_room')
    .on('partner_events')
    .columns(['tag', 'position'])
    .execute()
  await db.schema
    .createIndex('partner_deliveries_state')
    .on('partner_deliveries')
    .columns(['endpoint_id', 'status', 'seq'])
    .execute()
}
