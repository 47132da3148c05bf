import type { OwnRecordingResponse, OwnRecordingView, UnfinishedRecordingView } from '@lectern/protocol'
import type { OwnRecording, Recording, UnfinishedRecording } from '../../ports.ts'

/** The name that recorders give it (docs/recording.md#after-the-lesson). */
const POSTER = 'poster.jpg'

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
  poster_blob_id: recording.files.find(({ path }) => path === POSTER)?.blobId ?? null,
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

/** A file at the top of the recording; files of single tracks are in folders. */
const isWholeRecording = ({ path, contentType }: Recording['files'][number]) =>
  !path.includes('/') && contentType.startsWith('video/')
