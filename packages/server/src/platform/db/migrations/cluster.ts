import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The servers of sessions. */
export const sessionOwners: Migration = async db => {
  await db.schema
    .createTable('server_leases')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('server_id', 'text', column => column.notNull())
    .addColumn('address', 'text', column => column.notNull())
    .addColumn('lease_until_ms', 'bigint', column => column.notNull())
    .addColumn('is_dead', 'integer', column => column.notNull())
    .execute()
  await db.schema.alterTable('conference_sessions').addColumn('owner', 'text').execute()
  await db.schema
    .createIndex('conference_sessions_owner')
    .on('conference_sessions')
    .column('owner')
    .where(sql.ref('ended_at_ms'), 'is', null)
    .execute()
}
