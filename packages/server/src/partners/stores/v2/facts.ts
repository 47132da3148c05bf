import { batched } from '@lectern/common'
import type { Kysely } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'
import type { Recording, Transcript } from '../../../records/ports.ts'
import { toRecording } from '../../../records/stores/recordings.ts'
import { toTranscript } from '../../../records/stores/transcripts.ts'

export interface Attendance {
  participantId: string
  sessionId: number
  userId: number
  displayName: string
  role: string
  joinedAtMs: number
  leftAtMs: number | null
  reason: string | null
}

export interface SessionFact {
  id: number
  startedAtMs: number
  endedAtMs: number | null
  endReason: string | null
}

export type PartnerFacts = ReturnType<typeof partnerFacts>

/** Reads the facts that events are about. */
export function partnerFacts(db: Kysely<MainSchema>) {
  const attendance = (column: 'participant_id' | 'session_id', values: (string | number)[]) =>
    db
      .selectFrom('partner_attendance')
      .selectAll()
      .where(column, 'in', values as never[])
      .orderBy('joined_at_ms')
      .orderBy('participant_id')
      .execute()
      .then(rows =>
        rows.map(
          (row): Attendance => ({
            participantId: row.participant_id,
            sessionId: row.session_id,
            userId: row.user_id,
            displayName: row.display_name,
            role: row.role,
            joinedAtMs: row.joined_at_ms,
            leftAtMs: row.left_at_ms,
            reason: row.reason,
          }),
        ),
      )
  return {
    /** A participant. Those asked for together are read at once: most events are about one participant. */
    participant: batched(
      async (ids: string[]): Promise<(Attendance | null)[]> => {
        const rows = await attendance('participant_id', ids)
        const found = new Map(rows.map(row => [row.participantId, row]))
        return ids.map(id => found.get(id) ?? null)
      },
      { schedule: setImmediate },
    ),
    attendanceOf: async (sessionIds: number[]): Promise<Attendance[]> =>
      sessionIds.length === 0 ? [] : attendance('session_id', sessionIds),
    sessions: async (ids: number[]): Promise<SessionFact[]> => {
      if (ids.length === 0) return []
      const rows = await db
        .selectFrom('conference_sessions')
        .select(['id', 'started_at_ms', 'ended_at_ms', 'end_reason'])
        .where('id', 'in', ids)
        .execute()
      return rows.map(row => ({
        id: row.id,
        startedAtMs: row.started_at_ms,
        endedAtMs: row.ended_at_ms,
        endReason: row.end_reason,
      }))
    },
    recording: async (jobId: string): Promise<Recording | null> => {
      const row = await db.selectFrom('recordings').selectAll().where('job_id', '=', jobId).executeTakeFirst()
      return row ? toRecording(row) : null
    },
    transcript: async (jobId: string): Promise<Transcript | null> => {
      const row = await db
        .selectFrom('transcripts')
        .selectAll()
        .where('job_id', '=', jobId)
        .executeTakeFirst()
      return row ? toTranscript(row) : null
    },
    /** Whether a recording failed only because everybody had left before its recorder was there. */
    isNothingCaptured: async (jobId: string): Promise<boolean> => {
      const job = await db.selectFrom('jobs').select('result').where('id', '=', jobId).executeTakeFirst()
      return (JSON.parse(job?.result ?? '{}') as { reason?: unknown }).reason === 'nothing_captured'
    },
    /** The session of a job, or of its removed recording; null when neither is known any more. */
    sessionOfJob: async (jobId: string): Promise<number | null> => {
      const job = await db
        .selectFrom('jobs')
        .select('conference_session_id')
        .where('id', '=', jobId)
        .executeTakeFirst()
      const removal = await db
        .selectFrom('recording_removals')
        .select('conference_session_id')
        .where('job_id', '=', jobId)
        .executeTakeFirst()
      return (job ?? removal)?.conference_session_id ?? null
    },
  }
}
