import {
  OWN_TRANSCRIPT_MAX,
  type OwnRecordingResponse,
  type OwnRecordingView,
  type OwnTranscriptResponse,
  type TranscriptPhrase,
  type UnfinishedRecordingView,
} from '@lectern/protocol'
import type { OwnRecording, Recording, Transcript, UnfinishedRecording } from '../../records/ports.ts'

export const presentOwnRecording = (recording: OwnRecording): OwnRecordingView => ({
  recording_id: recording.jobId,
  tag: recording.conferenceTag,
  title: recording.title,
  status: recording.status,
  profile: recording.profile,
  started_at_ms: recording.startedAtMs,
  duration_ms: recording.durationMs,
  size: recording.files.reduce((sum, { size }) => sum + size, 0),
  transcript: recording.transcript,
})

export const presentUnfinished = (job: UnfinishedRecording): UnfinishedRecordingView => ({
  recording_id: job.jobId,
  tag: job.conferenceTag,
  title: job.title,
  state: job.state,
  created_at_ms: job.createdAtMs,
})

export const presentOwnDetails = (recording: OwnRecording): OwnRecordingResponse => ({
  result: 200,
  ...presentOwnRecording(recording),
  files: recording.files.map(({ blobId, path, contentType, size }) => ({
    blob_id: blobId,
    path,
    content_type: contentType,
    size,
  })),
  video_blob_id: recording.files.find(isWholeRecording)?.blobId ?? null,
})

/** A file at the top of the recording; those of single tracks are in folders. */
const isWholeRecording = ({ path, contentType }: Recording['files'][number]) =>
  !path.includes('/') && contentType.startsWith('video/')

/** How long a transcriber takes to publish a phrase after its end, and how fast people speak, roughly. */
const PUBLISHING_MS = 700
const MS_PER_CHARACTER = 65

/** The phrases with their positions in the recording, in order. Those before or after it are left out. */
export function presentOwnTranscript(
  { startedAtMs, durationMs }: Recording,
  runs: Transcript[],
): OwnTranscriptResponse {
  const phrases: TranscriptPhrase[] = []
  for (const { segments } of runs) {
    const lastOf = new Map<number, number>()
    for (const { at, speaker, text } of segments) {
      const end = at - PUBLISHING_MS - startedAtMs
      const from = Math.max(end - text.length * MS_PER_CHARACTER, lastOf.get(speaker.device_id) ?? 0, 0)
      lastOf.set(speaker.device_id, Math.max(from, end))
      if (end < 0 || from > durationMs) continue
      const to = Math.min(Math.max(end, from), durationMs)
      phrases.push({ from_ms: Math.round(from), to_ms: Math.round(to), speaker: speaker.name, text })
    }
  }
  phrases.sort((a, b) => a.from_ms - b.from_ms)
  return {
    result: 200,
    language: runs[0]?.language ?? 'und',
    phrases: phrases.slice(0, OWN_TRANSCRIPT_MAX),
    is_truncated: phrases.length > OWN_TRANSCRIPT_MAX,
  }
}
