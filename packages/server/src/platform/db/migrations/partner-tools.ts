import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** A webhook's secret that is being replaced, and lists that partners read of their own rooms and deliveries. */
export const partnerTools: Migration = async db => {
  await db.schema.alterTable('webhook_subscriptions').addColumn('previous_secret', 'text').execute()
  await db.schema
    .alterTable('webhook_subscriptions')
    .addColumn('previous_secret_expires_at_ms', 'bigint')
    .execute()
  // Each filter of a list has an index in the order of the list.
  await db.schema.createIndex('rooms_of_client').on('rooms').columns(['client_id', 'room_id']).execute()
  await db.schema
    .createIndex('rooms_of_client_by_status')
    .on('rooms')
    .columns(['client_id', 'status', 'room_id'])
    .execute()
  for (const role of ['teacher', 'student'])
    await db.schema
      .createIndex(`rooms_of_${role}`)
      .on('rooms')
      .columns(['client_id', `${role}_external_id`, 'room_id'])
      .where(sql.ref(`${role}_external_id`), 'is not', null)
      .execute()
  await db.schema
    .createIndex('webhook_deliveries_of_account')
    .on('webhook_deliveries')
    .columns(['service_account', 'created_at', 'id'])
    .execute()
  await db.schema
    .createIndex('webhook_deliveries_of_account_by_status')
    .on('webhook_deliveries')
    .columns(['service_account', 'status', 'created_at', 'id'])
    .execute()
}

/** Settings of rooms of version 2 of the API. */
export const settingsOfRooms: Migration = async db => {
  await db.schema
    .alterTable('rooms')
    .addColumn('settings', 'text', column => column.notNull().defaultTo('{}'))
    .execute()
  // Events and lists name people by the partner's own ids.
  await db.schema
    .createIndex('participants_of_account')
    .on('participants')
    .columns(['owner_client_id', 'client_id'])
    .execute()
}
