import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import type { MainSchema, RecordingsTable } from '../../platform/db/schema.ts'
import type {
  OwnRecording,
  OwnRecordingPage,
  Recording,
  Transcript,
  TranscriptState,
  UnfinishedRecording,
} from '../ports.ts'
import { toRecording } from './recordings.ts'
import { toTranscript } from './transcripts.ts'

type Row = Selectable<RecordingsTable> & { title: string; has_transcript: number; is_transcribed: number }

const stateOf = ({ has_transcript, is_transcribed }: Row): TranscriptState =>
  is_transcribed ? 'processing' : has_transcript ? 'ready' : 'none'

const toOwn = (row: Row): OwnRecording => ({
  ...toRecording(row),
  position: row.id,
  title: row.title,
  transcript: stateOf(row),
})

type Where = ExpressionBuilder<MainSchema, 'recordings'>

const hasTranscript = (eb: Where) =>
  eb.exists(
    eb
      .selectFrom('transcripts')
      .select('transcripts.id')
      .whereRef('transcripts.conference_tag', '=', 'recordings.conference_tag')
      .whereRef('transcripts.conference_session_id', '=', 'recordings.conference_session_id')
      .whereRef('transcripts.started_at_ms', '<', 'recordings.ended_at_ms')
      .whereRef('transcripts.ended_at_ms', '>', 'recordings.started_at_ms'),
  )

const isTranscribed = (eb: Where) =>
  eb.exists(
    eb
      .selectFrom('jobs')
      .select('jobs.id')
      .where('jobs.kind', '=', 'transcription')
      .where('jobs.state', 'in', ['queued', 'leased'])
      .whereRef('jobs.conference_tag', '=', 'recordings.conference_tag')
      .whereRef('jobs.conference_session_id', '=', 'recordings.conference_session_id'),
  )

/** The records of conferences that a user created, removed conferences included. */
export type OwnRecordingStore = ReturnType<typeof ownRecordingStore>

export function ownRecordingStore(db: Kysely<MainSchema>) {
  // A conference keeps its row, and with it its owner, after it was removed. Records of partners have an owner_id.
  const ofOwner = (ownerId: number) =>
    db
      .selectFrom('recordings')
      .innerJoin('conferences', 'conferences.tag', 'recordings.conference_tag')
      .where('conferences.owner_id', '=', ownerId)
      .where('recordings.owner_id', 'is', null)
      .selectAll('recordings')
      .select('conferences.title')
      .select(eb => [
        sql<number>`${hasTranscript(eb as unknown as Where)}`.as('has_transcript'),
        sql<number>`${isTranscribed(eb as unknown as Where)}`.as('is_transcribed'),
      ])
  return {
    /** Last indexed first. */
    list: async ({ ownerId, before, limit }: OwnRecordingPage): Promise<OwnRecording[]> => {
      const rows = await ofOwner(ownerId)
        .$if(before !== undefined, query => query.where('recordings.id', '<', before as number))
        .orderBy('recordings.id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toOwn)
    },
    /** Null when there is none, or when the conference is another user's. */
    find: async (ownerId: number, jobId: string): Promise<OwnRecording | null> => {
      const row = await ofOwner(ownerId).where('recordings.job_id', '=', jobId).executeTakeFirst()
      return row ? toOwn(row) : null
    },
    /** Newest first; failed ones that ended since the given time. */
    listUnfinished: async (
      ownerId: number,
      failedSinceMs: number,
      limit: number,
    ): Promise<UnfinishedRecording[]> => {
      const rows = await db
        .selectFrom('jobs')
        .innerJoin('conferences', 'conferences.tag', 'jobs.conference_tag')
        .leftJoin('conference_sessions', 'conference_sessions.id', 'jobs.conference_session_id')
        .where('conferences.owner_id', '=', ownerId)
        .where('jobs.kind', '=', 'recording')
        .where(eb =>
          eb.or([
            eb('jobs.state', 'in', ['queued', 'leased']),
            eb.and([eb('jobs.state', '=', 'failed'), eb('jobs.updated_at_ms', '>=', failedSinceMs)]),
          ]),
        )
        // A job counts as finished shortly after its record was added.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('recordings').select('recordings.id').whereRef('recordings.job_id', '=', 'jobs.id'),
            ),
          ),
        )
        .select([
          'jobs.id',
          'jobs.conference_tag',
          'jobs.state',
          'jobs.stop_requested',
          'jobs.created_at_ms',
          'conferences.title',
          'conference_sessions.ended_at_ms',
        ])
        .orderBy('jobs.created_at_ms', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row): UnfinishedRecording => {
        const isRunning = row.stop_requested === 0 && row.ended_at_ms === null
        return {
          jobId: row.id,
          conferenceTag: row.conference_tag,
          title: row.title,
          state: row.state === 'failed' ? 'failed' : isRunning ? 'recording' : 'processing',
          createdAtMs: row.created_at_ms,
        }
      })
    },
    /** The transcripts that overlap the recording in its session, oldest first. */
    listTranscripts: async (recording: Recording, limit: number): Promise<Transcript[]> => {
      const rows = await db
        .selectFrom('transcripts')
        .selectAll()
        .where('conference_tag', '=', recording.conferenceTag)
        .where('conference_session_id', '=', recording.conferenceSessionId)
        .where('started_at_ms', '<', recording.endedAtMs)
        .where('ended_at_ms', '>', recording.startedAtMs)
        .orderBy('started_at_ms')
        .limit(limit)
        .execute()
      return rows.map(toTranscript)
    },
  }
}
