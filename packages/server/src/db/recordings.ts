import type { Kysely, Selectable } from 'kysely'
import type { RecordedFile, Recording, RecordingStore } from '../records/ports.ts'
import type { MainSchema, RecordingsTable } from './schema.ts'

const toRecording = (row: Selectable<RecordingsTable>): Recording => ({
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
  told_at: null,
})

export function recordingStore(db: Kysely<MainSchema>): RecordingStore {
  return {
    add: async recording => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('recordings')
        .values(toColumns(recording))
        .onConflict(conflict => conflict.column('job_id').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
    find: async jobId => {
      const row = await db.selectFrom('recordings').selectAll().where('job_id', '=', jobId).executeTakeFirst()
      return row ? toRecording(row) : null
    },
    list: async (limit, ownerId) => {
      const rows = await db
        .selectFrom('recordings')
        .selectAll()
        .$if(ownerId !== undefined, query => query.where('owner_id', '=', ownerId as number))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toRecording)
    },
    listUnnotified: async limit => {
      const rows = await db
        .selectFrom('recordings')
        .selectAll()
        .where('told_at', 'is', null)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toRecording)
    },
    markNotified: async (jobId, at) => {
      await db.updateTable('recordings').set({ told_at: at }).where('job_id', '=', jobId).execute()
    },
    count: async () => {
      const { count } = await db
        .selectFrom('recordings')
        .select(eb => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },
  }
}
