import type { Kysely, Selectable } from 'kysely'
import type { MainSchema, RecordingsTable } from '../../platform/db/schema.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { RecordedFile, Recording } from '../ports.ts'

export const toRecording = (row: Selectable<RecordingsTable>): Recording => ({
  jobId: row.job_id,
  ownerId: row.owner_id,
  conferenceTag: row.conference_tag,
  conferenceSessionId: row.conference_session_id,
  profile: row.profile,
  status: row.status,
  startedAtMs: row.started_at_ms,
  endedAtMs: row.ended_at_ms,
  durationMs: row.duration_ms,
  outputDir: row.output_dir,
  files: JSON.parse(row.files) as RecordedFile[],
  artifact: JSON.parse(row.artifact) as Record<string, unknown>,
  indexedAt: row.indexed_at,
})

const toColumns = (recording: Recording) => ({
  job_id: recording.jobId,
  owner_id: recording.ownerId,
  conference_tag: recording.conferenceTag,
  conference_session_id: recording.conferenceSessionId,
  profile: recording.profile,
  status: recording.status,
  started_at_ms: recording.startedAtMs,
  ended_at_ms: recording.endedAtMs,
  duration_ms: recording.durationMs,
  output_dir: recording.outputDir,
  files: JSON.stringify(recording.files),
  artifact: JSON.stringify(recording.artifact),
  indexed_at: recording.indexedAt,
  notified_at: null,
})

export type RecordingStore = ReturnType<typeof recordingStore>

export function recordingStore(db: Kysely<MainSchema>) {
  return {
    /** False when the job has a record already, which remains, or had one that was removed. */
    add: (recording: Recording): Promise<boolean> =>
      inTransaction(db, async store => {
        const { numInsertedOrUpdatedRows } = await store
          .insertInto('recordings')
          .values(toColumns(recording))
          .onConflict(conflict => conflict.column('job_id').doNothing())
          .executeTakeFirst()
        // A job repeats its result after a crash; the owner may have removed the record in the meantime.
        const { numDeletedRows } = await store
          .deleteFrom('recordings')
          .where('job_id', '=', recording.jobId)
          .where('job_id', 'in', store.selectFrom('recording_removals').select('job_id'))
          .executeTakeFirst()
        return numInsertedOrUpdatedRows === 1n && numDeletedRows === 0n
      }),
    find: async (jobId: string): Promise<Recording | null> => {
      const row = await db.selectFrom('recordings').selectAll().where('job_id', '=', jobId).executeTakeFirst()
      return row ? toRecording(row) : null
    },
    /** The owner of a record that has none. */
    setOwner: async (jobId: string, ownerId: number) => {
      await db
        .updateTable('recordings')
        .set({ owner_id: ownerId })
        .where('job_id', '=', jobId)
        .where('owner_id', 'is', null)
        .execute()
    },
    /** Whether the job had a record that was removed. */
    wasRemoved: async (jobId: string) => {
      const row = await db
        .selectFrom('recording_removals')
        .select('job_id')
        .where('job_id', '=', jobId)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Last indexed first, of one owner or of all. */
    list: async (limit: number, ownerId?: number): Promise<Recording[]> => {
      const rows = await db
        .selectFrom('recordings')
        .selectAll()
        .$if(ownerId !== undefined, query => query.where('owner_id', '=', ownerId as number))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toRecording)
    },
    listUnnotified: async (limit: number): Promise<Recording[]> => {
      const rows = await db
        .selectFrom('recordings')
        .selectAll()
        .where('notified_at', 'is', null)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toRecording)
    },
    markNotified: async (jobId: string, at: number) => {
      const { numUpdatedRows } = await db
        .updateTable('recordings')
        .set({ notified_at: at })
        .where('job_id', '=', jobId)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    count: async (): Promise<number> => {
      const { count } = await db
        .selectFrom('recordings')
        .select(eb => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },
  }
}
