import type { TranscriptSummary } from '@lectern/protocol'
import type { PartnerEvent } from '../hooks.ts'
import type { Recording, Transcript, TranscriptHead } from './ports.ts'
import { presentRecording } from './present.ts'

type PartnerEventOf<Event extends PartnerEvent['event']> = Extract<PartnerEvent, { event: Event }>

/** The part of a record that partners receive (docs/webhooks.md#recordingready); the archive has all of it. */
export function recordingReady(recording: Recording): PartnerEventOf<'recording.ready'> {
  const record = presentRecording(recording)
  return {
    event: 'recording.ready',
    subject: `recording:${recording.jobId}`,
    data: {
      recording: {
        id: record.id,
        job_id: record.job_id,
        conference_tag: record.conference_tag,
        conference_session_id: record.conference_session_id,
        profile: record.profile,
        status: record.status,
        started_at_ms: record.started_at_ms,
        ended_at_ms: record.ended_at_ms,
        duration_ms: record.duration_ms,
        report_blob_id: record.report_blob_id,
        report_url: record.report_url,
        manifest_blob_id: record.manifest_blob_id,
        manifest_url: record.manifest_url,
        files: record.files,
      },
    },
  }
}

/** The full transcript, as partners have no archive of transcripts (docs/webhooks.md#transcriptionready). */
export function transcriptionReady(transcript: Transcript): PartnerEventOf<'transcription.ready'> {
  const { engine: _, created_at: __, ...run } = presentTranscript(transcript)
  const { text, segments } = transcript
  return {
    event: 'transcription.ready',
    subject: `transcription:${transcript.jobId}`,
    data: { transcription: { ...run, text, segments } },
  }
}

export const presentTranscript = (head: TranscriptHead): TranscriptSummary => ({
  id: head.jobId,
  job_id: head.jobId,
  conference_tag: head.conferenceTag,
  conference_session_id: head.conferenceSessionId,
  status: head.status,
  language: head.language,
  engine: head.engine,
  started_at_ms: head.startedAtMs,
  ended_at_ms: head.endedAtMs,
  reason: head.reason,
  created_at: head.indexedAt,
})
