import type { StoredRecording, StoredTranscript } from '@lectern/protocol'
import type { Recording, Transcript, TranscriptHead } from '../../../records/ports.ts'

const utc = (ms: number) => new Date(ms).toISOString()

export const presentStoredRecording = (recording: Recording, room: string): StoredRecording => ({
  id: recording.jobId,
  room,
  session_id: recording.conferenceSessionId,
  status: recording.status,
  started_at: utc(recording.startedAtMs),
  ended_at: utc(recording.endedAtMs),
  duration_ms: recording.durationMs,
  files: recording.files.map(file => ({
    path: file.path,
    size: file.size,
    content_type: file.contentType,
    sha256: file.sha256,
  })),
})

export const presentStoredTranscript = (transcript: TranscriptHead, room: string): StoredTranscript => ({
  id: transcript.jobId,
  room,
  session_id: transcript.conferenceSessionId,
  status: transcript.status,
  language: transcript.language,
  started_at: utc(transcript.startedAtMs),
  ended_at: utc(transcript.endedAtMs),
  reason: transcript.reason,
})

/** The whole transcript; speakers have the partner's ids. */
export const presentWholeTranscript = (
  transcript: Transcript,
  room: string,
  externalIds: ReadonlyMap<number, string>,
) => ({
  ...presentStoredTranscript(transcript, room),
  text: transcript.text,
  segments: transcript.segments.map(segment => ({
    ...segment,
    speaker: { ...segment.speaker, external_id: externalIds.get(segment.speaker.client_id) ?? null },
  })),
})
