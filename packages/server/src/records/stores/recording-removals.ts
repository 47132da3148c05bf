import type { Kysely, Selectable } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { RecordingRemovalsTable } from '../../platform/db/tables/recordings.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { RecordedFile, RecordingRemoval } from '../ports.ts'
import { forgetSpeech, SPEECH_LOCK } from './removed-transcripts.ts'

const toRemoval = (
  row: Pick<Selectable<RecordingRemovalsTable>, 'job_id' | 'blob_ids'>,
): RecordingRemoval => ({
  jobId: row.job_id,
  blobIds: JSON.parse(row.blob_ids) as string[],
})

/** Removes transcripts that overlap a removed recording of their session and no existing one, with what events say of them. */
async function removeTranscripts(db: Kysely<MainSchema>, jobId?: string): Promise<void> {
  const removed = await db
    .deleteFrom('transcripts')
    .where('conference_tag', 'in', eb =>
      eb
        .selectFrom('recording_removals')
        .select('conference_tag')
        .$if(jobId !== undefined, query => query.where('recording_removals.job_id', '=', jobId as string)),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('recording_removals as gone')
          .select('gone.job_id')
          .whereRef('gone.conference_tag', '=', 'transcripts.conference_tag')
          .whereRef('gone.conference_session_id', '=', 'transcripts.conference_session_id')
          .whereRef('gone.started_at_ms', '<', 'transcripts.ended_at_ms')
          .whereRef('gone.ended_at_ms', '>', 'transcripts.started_at_ms'),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('recordings')
            .select('recordings.id')
            .whereRef('recordings.conference_tag', '=', 'transcripts.conference_tag')
            .whereRef('recordings.conference_session_id', '=', 'transcripts.conference_session_id')
            .whereRef('recordings.started_at_ms', '<', 'transcripts.ended_at_ms')
            .whereRef('recordings.ended_at_ms', '>', 'transcripts.started_at_ms'),
        ),
      ),
    )
    .returning(['job_id', 'conference_tag'])
    .execute()
  await forgetSpeech(db, removed)
}

export type RecordingRemovalStore = ReturnType<typeof recordingRemovalStore>

export function recordingRemovalStore(db: Kysely<MainSchema>) {
  const pending = () =>
    db.selectFrom('recording_removals').select(['job_id', 'blob_ids']).where('completed_at', 'is', null)
  return {
    /**
     * Removes a record, and each transcript that overlaps no other record of its session; the job gets no record any more. In
     * one transaction. Null when there is no such record.
     */
    begin: (jobId: string, at: number): Promise<RecordingRemoval | null> =>
      inTransaction(
        db,
        async store => {
          const row = await store
            .deleteFrom('recordings')
            .where('job_id', '=', jobId)
            .returningAll()
            .executeTakeFirst()
          if (!row) return null
          const blobIds = (JSON.parse(row.files) as RecordedFile[]).map(({ blobId }) => blobId)
          await store
            .insertInto('recording_removals')
            .values({
              job_id: jobId,
              conference_tag: row.conference_tag,
              conference_session_id: row.conference_session_id,
              started_at_ms: row.started_at_ms,
              ended_at_ms: row.ended_at_ms,
              blob_ids: JSON.stringify(blobIds),
              removed_at: at,
              completed_at: null,
            })
            .execute()
          await removeTranscripts(store, jobId)
          return { jobId, blobIds }
        },
        ['recording removals', SPEECH_LOCK],
      ),
    /** Whether a recording of the user's conferences was removed. */
    isRemoved: async (ownerId: number, jobId: string) => {
      const row = await db
        .selectFrom('recording_removals')
        .innerJoin('conferences', 'conferences.tag', 'recording_removals.conference_tag')
        .select('job_id')
        .where('job_id', '=', jobId)
        .where('owner_id', '=', ownerId)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Removals whose files may still exist. */
    listPending: async (): Promise<RecordingRemoval[]> =>
      (await pending().orderBy('job_id').execute()).map(toRemoval),
    findPending: async (jobId: string): Promise<RecordingRemoval | null> => {
      const row = await pending().where('job_id', '=', jobId).executeTakeFirst()
      return row ? toRemoval(row) : null
    },
    /** MUST be called once none of the files exists. */
    complete: async (jobId: string, at: number) => {
      await db
        .updateTable('recording_removals')
        .set({ completed_at: at })
        .where('job_id', '=', jobId)
        .execute()
    },
    /** Removes transcripts that were stored after the removal of their recording; forgets removals completed before that time. */
    sweep: async (before: number) => {
      await inTransaction(db, store => removeTranscripts(store), [SPEECH_LOCK])
      await db.deleteFrom('recording_removals').where('completed_at', '<', before).execute()
    },
  }
}
