import type { Migration } from '../migrate.ts'

/** Files may be in an object storage, whose multipart uploads have ids. */
export const multipartUploads: Migration = async db => {
  await db.schema.alterTable('blobs').addColumn('upload_id', 'text').execute()
}
