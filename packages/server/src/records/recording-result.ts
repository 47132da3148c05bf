import { ensure, RecordingResult } from '@lectern/protocol'
import type { JsonObject } from '@lectern/protocol/control'
import { shape } from '../platform/shape.ts'
import type { Archive } from './archive.ts'
import type { Job } from './jobs/ports.ts'

const read = shape('result', RecordingResult)

/**
 * Adds the record of a finished recording; idempotent, the first record remains. Throws `invalid_argument` for an
 * invalid result, and what the archive throws.
 */
export async function saveRecording(archive: Archive, job: Job, result: JsonObject): Promise<void> {
  const recording = read(result)
  ensure(
    recording.ended_at_ms >= recording.started_at_ms,
    'invalid_argument',
    'ended_at_ms is before started_at_ms.',
  )
  ensure(
    new Set(recording.blob_ids).size === recording.blob_ids.length,
    'invalid_argument',
    'blob_ids names a file twice.',
  )
  await archive.add({
    jobId: job.id,
    conferenceTag: job.conferenceTag,
    conferenceSessionId: job.conferenceSessionId,
    profile: recording.profile,
    status: recording.status,
    startedAtMs: recording.started_at_ms,
    endedAtMs: recording.ended_at_ms,
    durationMs: recording.duration_ms,
    outputDir: recording.output_dir,
    blobIds: recording.blob_ids,
    artifact: recording.artifact,
  })
}
