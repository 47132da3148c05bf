import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Recordings of a user's conferences: found by conference, and deleted by their owner. */
export const ownRecordings: Migration = async db => {
  await db.schema
    .createIndex('recordings_conference')
    .on('recordings')
    .columns(['conference_tag', 'id'])
    .execute()
  await db.schema.createIndex('jobs_conference').on('jobs').columns(['conference_tag', 'kind']).execute()
  await db.schema
    .createTable('recording_removals')
    .addColumn('job_id', 'text', column => column.primaryKey())
    .addColumn('conference_tag', 'text', column => column.notNull())
    .addColumn('conference_session_id', 'integer', column => column.notNull())
    .addColumn('started_at_ms', 'bigint', column => column.notNull())
    .addColumn('ended_at_ms', 'bigint', column => column.notNull())
    .addColumn('blob_ids', 'text', column => column.notNull())
    .addColumn('removed_at', 'bigint', column => column.notNull())
    .addColumn('completed_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('recording_removals_session')
    .on('recording_removals')
    .columns(['conference_tag', 'conference_session_id'])
    .execute()
  await db.schema
    .createIndex('recording_removals_pending')
    .on('recording_removals')
    .column('job_id')
    .where(sql.ref('completed_at'), 'is', null)
    .execute()
}
