import type { Kysely, Selectable } from 'kysely'
import type { MainSchema, TranscriptsTable } from '../../platform/db/schema.ts'
import type { Segment, Transcript, TranscriptHead } from '../ports.ts'

export const TRANSCRIPT_HEAD = [
  'job_id',
  'conference_tag',
  'conference_session_id',
  'status',
  'language',
  'engine',
  'started_at_ms',
  'ended_at_ms',
  'reason',
  'indexed_at',
] as const

export const toTranscriptHead = (
  row: Pick<Selectable<TranscriptsTable>, (typeof TRANSCRIPT_HEAD)[number]>,
): TranscriptHead => ({
  jobId: row.job_id,
  conferenceTag: row.conference_tag,
  conferenceSessionId: row.conference_session_id,
  status: row.status,
  language: row.language,
  engine: row.engine,
  startedAtMs: row.started_at_ms,
  endedAtMs: row.ended_at_ms,
  reason: row.reason,
  indexedAt: row.indexed_at,
})

export const toTranscript = (row: Selectable<TranscriptsTable>): Transcript => ({
  ...toTranscriptHead(row),
  text: row.text,
  segments: JSON.parse(row.segments) as Segment[],
})

const toColumns = (transcript: Transcript) => ({
  job_id: transcript.jobId,
  conference_tag: transcript.conferenceTag,
  conference_session_id: transcript.conferenceSessionId,
  status: transcript.status,
  language: transcript.language,
  engine: transcript.engine,
  started_at_ms: transcript.startedAtMs,
  ended_at_ms: transcript.endedAtMs,
  reason: transcript.reason,
  text: transcript.text,
  segments: JSON.stringify(transcript.segments),
  indexed_at: transcript.indexedAt,
  notified_at: null,
})

export type TranscriptStore = ReturnType<typeof transcriptStore>

export function transcriptStore(db: Kysely<MainSchema>) {
  return {
    /** False when the job has a transcript already, which remains. */
    add: async (transcript: Transcript) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('transcripts')
        .values(toColumns(transcript))
        .onConflict(conflict => conflict.column('job_id').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
    find: async (jobId: string): Promise<Transcript | null> => {
      const row = await db
        .selectFrom('transcripts')
        .selectAll()
        .where('job_id', '=', jobId)
        .executeTakeFirst()
      return row ? toTranscript(row) : null
    },
    has: async (jobId: string) => {
      const row = await db
        .selectFrom('transcripts')
        .select('id')
        .where('job_id', '=', jobId)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Last stored first, of one conference or of all. */
    list: async (limit: number, conferenceTag?: string): Promise<TranscriptHead[]> => {
      const rows = await db
        .selectFrom('transcripts')
        .select(TRANSCRIPT_HEAD)
        .$if(conferenceTag !== undefined, query =>
          query.where('conference_tag', '=', conferenceTag as string),
        )
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toTranscriptHead)
    },
    listUnnotified: async (limit: number): Promise<Transcript[]> => {
      const rows = await db
        .selectFrom('transcripts')
        .selectAll()
        .where('notified_at', 'is', null)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toTranscript)
    },
    markNotified: async (jobId: string, at: number) => {
      const { numUpdatedRows } = await db
        .updateTable('transcripts')
        .set({ notified_at: at })
        .where('job_id', '=', jobId)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}
