import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import { prepared } from '../../platform/db/prepared.ts'
import type { BlobsTable, MainSchema } from '../../platform/db/schema.ts'
import type { Blob } from '../ports.ts'
import type { BlobRow } from '../storage/ports.ts'

const toRow = (row: Selectable<BlobsTable>): BlobRow => ({
  blob: {
    id: row.id,
    ownerId: row.owner_id,
    scope: row.scope,
    jobId: row.job_id,
    name: row.name,
    contentType: row.content_type,
    size: row.size,
    sha256: row.sha256,
    createdAt: row.created_at,
  },
  state: row.state as BlobRow['state'],
  uploadId: row.upload_id,
})

/** The scopes of documents, as `documentScope` makes them. */
const DOCUMENTS = 'document:%'

/** Sorts after every hexadecimal digit. */
const PAST_HEX = 'g'

type Where = ExpressionBuilder<MainSchema, 'blobs'>

/** The archive ensures that a record contains only blobs of its own job. */
const isRecorded = (eb: Where) =>
  eb.exists(
    eb
      .selectFrom('recordings')
      .select('recordings.id')
      .whereRef('recordings.job_id', '=', 'blobs.job_id')
      .where('recordings.files', 'like', sql<string>`'%"' || ${eb.ref('blobs.id')} || '"%'`),
  )

const isOfPage = (eb: Where) =>
  eb.exists(
    eb
      .selectFrom('document_blobs')
      .select('document_blobs.blob_id')
      .whereRef('document_blobs.blob_id', '=', 'blobs.id'),
  )

const hasJobSince = (beforeMs: number) => (eb: Where) =>
  eb.exists(
    eb
      .selectFrom('jobs')
      .select('jobs.id')
      .whereRef('jobs.id', '=', 'blobs.job_id')
      .where(job => job.or([job('state', 'in', ['queued', 'leased']), job('updated_at_ms', '>=', beforeMs)])),
  )

/** The metadata of blobs, without their bytes. */
export type BlobIndex = ReturnType<typeof blobIndex>

export function blobIndex(db: Kysely<MainSchema>) {
  const select = prepared(db, (id: string) =>
    db.selectFrom('blobs').selectAll().where('id', '=', id).where('state', '<>', 'removing'),
  )
  return {
    /** Adds a blob in the state `writing`. */
    add: async (blob: Blob, uploadId: string | null = null) => {
      await db
        .insertInto('blobs')
        .values({
          id: blob.id,
          owner_id: blob.ownerId,
          scope: blob.scope,
          job_id: blob.jobId,
          name: blob.name,
          content_type: blob.contentType,
          size: blob.size,
          sha256: blob.sha256,
          state: 'writing',
          upload_id: uploadId,
          created_at: blob.createdAt,
        })
        .execute()
    },
    /** None that is being removed. */
    find: async (id: string): Promise<BlobRow | null> => {
      if (id.includes('\0')) return null // PostgreSQL has no such text
      const [row] = await select(id)
      return row ? toRow(row) : null
    },
    markReady: async (id: string) => {
      await db
        .updateTable('blobs')
        .set({ state: 'ready', upload_id: null })
        .where('id', '=', id)
        .where('state', '=', 'writing')
        .execute()
    },
    /** Hides the blob until `remove`. Returns the multipart upload that may still exist, or null. */
    beginRemoval: async (id: string): Promise<string | null> => {
      const row = await db
        .updateTable('blobs')
        .set({ state: 'removing' })
        .where('id', '=', id)
        .returning('upload_id')
        .executeTakeFirst()
      return row?.upload_id ?? null
    },
    /** MUST be called once nothing is stored: the deletion of a room finds by the rows what is left to remove. */
    remove: async (id: string) => {
      await db.deleteFrom('blobs').where('id', '=', id).execute()
    },
    /** All whose id begins with `prefix`. */
    listByPrefix: async (prefix: string): Promise<BlobRow[]> => {
      const rows = await db
        .selectFrom('blobs')
        .selectAll()
        .where('id', '>=', prefix)
        .where('id', '<', prefix + PAST_HEX)
        .orderBy('id')
        .execute()
      return rows.map(toRow)
    },
    /**
     * Ids, beginning with `prefix`, of finished blobs that no record or page contains: uploaded before that time (Unix seconds) by
     * a job that had ended by then, or of a document. Other blobs of unknown jobs are excluded.
     */
    listUnclaimed: async (prefix: string, before: number, limit: number): Promise<string[]> => {
      const rows = await db
        .selectFrom('blobs')
        .select('id')
        .where('id', '>=', prefix)
        .where('id', '<', prefix + PAST_HEX)
        .where('blobs.state', '=', 'ready')
        .where('created_at', '<', before)
        .where(eb => eb.or([eb('job_id', 'is not', null), eb('scope', 'like', DOCUMENTS)]))
        .where(eb => eb.not(hasJobSince(before * 1000)(eb)))
        .where(eb => eb.not(isRecorded(eb)))
        .where(eb => eb.not(isOfPage(eb)))
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    isEmpty: async () => (await db.selectFrom('blobs').select('id').limit(1).execute()).length === 0,
  }
}
