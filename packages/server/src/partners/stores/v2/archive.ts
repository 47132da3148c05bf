import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Recording, TranscriptHead } from '../../../records/ports.ts'
import { toRecording } from '../../../records/stores/recordings.ts'
import { forgetSpeech, SPEECH_LOCK } from '../../../records/stores/removed-transcripts.ts'
import { TRANSCRIPT_HEAD, toTranscriptHead } from '../../../records/stores/transcripts.ts'
import type { AfterPage } from '../../ports.ts'
import { fitting, PAGE_BYTES } from './page-bytes.ts'

export interface FileLink {
  id: string
  clientId: number
  jobId: string
  blobId: string
  disposition: string
  expiresAtMs: number
}

export type PartnerArchive = ReturnType<typeof partnerArchive>

/** Recordings and transcripts of rooms, as their partners read them, and links to files. */
export function partnerArchive(db: Kysely<MainSchema>) {
  return {
    /**
     * Recordings of all rooms of the technical user, or of one room, the oldest first: as many as fit into a page, but
     * at least one.
     */
    recordings: async (
      owner: { clientId: number; tag?: string | undefined },
      { after, limit }: AfterPage,
      maxBytes = PAGE_BYTES,
    ): Promise<{ found: { id: number; recording: Recording }[]; hasMore: boolean }> => {
      const sizes = await db
        .selectFrom('recordings')
        .select(['id', sql<number>`octet_length(files)`.as('bytes')])
        .where('owner_id', '=', owner.clientId)
        .$if(owner.tag !== undefined, query => query.where('conference_tag', '=', owner.tag as string))
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      const ids = fitting(sizes.slice(0, limit), maxBytes).map(({ id }) => id)
      if (ids.length === 0) return { found: [], hasMore: false }
      const rows = await db
        .selectFrom('recordings')
        .selectAll()
        .where('id', 'in', ids)
        .orderBy('id')
        .execute()
      const found = rows.map(row => ({ id: row.id, recording: toRecording(row) }))
      return { found, hasMore: ids.length < sizes.length }
    },
    recording: async (clientId: number, jobId: string): Promise<Recording | null> => {
      const row = await db
        .selectFrom('recordings')
        .selectAll()
        .where('job_id', '=', jobId)
        .where('owner_id', '=', clientId)
        .executeTakeFirst()
      return row ? toRecording(row) : null
    },
    /** Recordings of the room that ended before that time. */
    expired: async (tag: string, endedBeforeMs: number): Promise<string[]> => {
      const rows = await db
        .selectFrom('recordings')
        .select('job_id')
        .where('conference_tag', '=', tag)
        .where('ended_at_ms', '<', endedBeforeMs)
        .execute()
      return rows.map(row => row.job_id)
    },
    /** The transcripts of the room whose run ended before that time. */
    expiredTranscripts: async (tag: string, endedBeforeMs: number): Promise<string[]> => {
      const rows = await db
        .selectFrom('transcripts')
        .select('job_id')
        .where('conference_tag', '=', tag)
        .where('ended_at_ms', '<', endedBeforeMs)
        .execute()
      return rows.map(row => row.job_id)
    },
    /** The transcripts of the session that overlap the recording, and no other one. */
    transcriptsOf: async (recording: Recording): Promise<string[]> => {
      const rows = await db
        .selectFrom('transcripts')
        .select('transcripts.job_id')
        .where('conference_tag', '=', recording.conferenceTag)
        .where('conference_session_id', '=', recording.conferenceSessionId)
        .where('started_at_ms', '<', recording.endedAtMs)
        .where('ended_at_ms', '>', recording.startedAtMs)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('recordings')
                .select('recordings.id')
                .where('recordings.job_id', '<>', recording.jobId)
                .whereRef('recordings.conference_session_id', '=', 'transcripts.conference_session_id')
                .whereRef('recordings.conference_tag', '=', 'transcripts.conference_tag')
                .whereRef('recordings.started_at_ms', '<', 'transcripts.ended_at_ms')
                .whereRef('recordings.ended_at_ms', '>', 'transcripts.started_at_ms'),
            ),
          ),
        )
        .execute()
      return rows.map(row => row.job_id)
    },
    /** Removes transcripts of the room. Their events stay without what was said, so that no sequence number is missing. */
    removeTranscripts: (tag: string, jobIds: string[]): Promise<void> =>
      inTransaction(
        db,
        async store => {
          if (jobIds.length === 0) return
          const removed = await store
            .deleteFrom('transcripts')
            .where('job_id', 'in', jobIds)
            .where('conference_tag', '=', tag)
            .returning(['job_id', 'conference_tag'])
            .execute()
          await forgetSpeech(store, removed)
        },
        [SPEECH_LOCK],
      ),
    /** The jobs among these that have a transcript. */
    transcribed: async (jobIds: string[]): Promise<Set<string>> => {
      if (jobIds.length === 0) return new Set()
      const rows = await db.selectFrom('transcripts').select('job_id').where('job_id', 'in', jobIds).execute()
      return new Set(rows.map(row => row.job_id))
    },
    /** Transcripts of the room, the oldest first. */
    transcripts: async (
      tag: string,
      { after, limit }: AfterPage,
    ): Promise<{ id: number; transcript: TranscriptHead }[]> => {
      const rows = await db
        .selectFrom('transcripts')
        .select(['id', ...TRANSCRIPT_HEAD])
        .where('conference_tag', '=', tag)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(row => ({ id: row.id, transcript: toTranscriptHead(row) }))
    },
    tagOfTranscript: async (jobId: string): Promise<string | null> => {
      const row = await db
        .selectFrom('transcripts')
        .select('conference_tag')
        .where('job_id', '=', jobId)
        .executeTakeFirst()
      return row?.conference_tag ?? null
    },
    addLink: async ({ id, clientId, jobId, blobId, disposition, expiresAtMs }: FileLink) => {
      await db
        .insertInto('partner_links')
        .values({
          id,
          client_id: clientId,
          job_id: jobId,
          blob_id: blobId,
          disposition,
          expires_at_ms: expiresAtMs,
        })
        .execute()
    },
    findLink: async (id: string): Promise<FileLink | null> => {
      const row = await db.selectFrom('partner_links').selectAll().where('id', '=', id).executeTakeFirst()
      return row
        ? {
            id: row.id,
            clientId: row.client_id,
            jobId: row.job_id,
            blobId: row.blob_id,
            disposition: row.disposition,
            expiresAtMs: row.expires_at_ms,
          }
        : null
    },
    removeLink: async (clientId: number, jobId: string, id: string) => {
      await db
        .deleteFrom('partner_links')
        .where('id', '=', id)
        .where('job_id', '=', jobId)
        .where('client_id', '=', clientId)
        .execute()
    },
    sweepLinks: async (nowMs: number) => {
      await db.deleteFrom('partner_links').where('expires_at_ms', '<=', nowMs).execute()
    },
  }
}
