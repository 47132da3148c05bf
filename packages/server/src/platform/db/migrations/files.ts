import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Files of conferences and the pages of documents; conversions, of which a session may have several at once. */
export const conferenceFiles: Migration = async db => {
  await db.schema
    .createTable('conference_files')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('conference_tag', 'text', column => column.notNull())
    .addColumn('conference_session_id', 'integer', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull())
    .addColumn('display_name', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('content_type', 'text', column => column.notNull())
    .addColumn('size', 'bigint', column => column.notNull())
    .addColumn('purpose', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('failure', 'text')
    .addColumn('page_count', 'integer')
    .addColumn('created_at_ms', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createIndex('conference_files_conference')
    .on('conference_files')
    .columns(['conference_tag', 'created_at_ms'])
    .execute()
  await db.schema
    .createIndex('conference_files_user')
    .on('conference_files')
    .columns(['user_id', 'created_at_ms'])
    .execute()
  await db.schema
    .createIndex('conference_files_unfinished')
    .on('conference_files')
    .column('created_at_ms')
    .where(sql<boolean>`state IN ('uploading', 'converting', 'removing')`)
    .execute()
  await db.schema
    .createTable('document_pages')
    .addColumn('file_id', 'text', column => column.notNull())
    .addColumn('page_number', 'integer', column => column.notNull())
    .addColumn('width', 'integer', column => column.notNull())
    .addColumn('height', 'integer', column => column.notNull())
    .addColumn('failure', 'text')
    .addPrimaryKeyConstraint('document_pages_key', ['file_id', 'page_number'])
    .execute()
  await db.schema
    .createTable('document_blobs')
    .addColumn('blob_id', 'text', column => column.notNull())
    .addColumn('file_id', 'text', column => column.notNull())
    .addColumn('page_number', 'integer', column => column.notNull())
    .addColumn('part', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('document_blobs_key', ['file_id', 'page_number', 'part'])
    .execute()
  await db.schema.createIndex('document_blobs_blob').on('document_blobs').column('blob_id').execute()
  await db.schema.dropIndex('jobs_unfinished_of_session').execute()
  await db.schema
    .createIndex('jobs_one_of_session')
    .unique()
    .on('jobs')
    .columns(['conference_session_id', 'kind'])
    .where(sql<boolean>`state IN ('queued', 'leased') AND stop_requested = 0 AND kind <> 'conversion'`)
    .execute()
}
