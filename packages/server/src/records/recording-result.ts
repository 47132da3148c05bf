import { ensure, RecordingResult } from '@lectern/protocol'
import type { JsonObject } from '@lectern/protocol/control'
import type { Job } from '../jobs/ports.ts'
import { shape } from '../shape.ts'
import type { Archive } from './archive.ts'

const read = shape('result', RecordingResult)

/**
 * Adds the record of a finished recording; idempotent, the first record remains. Throws `invalid_argument` for an
 * invalid result, and what the archive throws.
 */
export async function saveRecording(archive: Archive, job: Job, result: JsonObject): Promise<void> {
  const told = read(result)
  ensure(told.ended_at_ms >= told.started_at_ms, 'invalid_argument', 'ended_at_ms is before started_at_ms.')
  ensure(
    new Set(told.blob_ids).size === told.blob_ids.length,
    'invalid_argument',
    'blob_ids names a file twice.',
  )
  await archive.add({
    jobId: job.id,
    conferenceTag: job.conferenceTag,
    conferenceSessionId: job.conferenceSessionId,
    profile: told.profile,
    status: told.status,
    startedAtMs: told.started_at_ms,
    endedAtMs: told.ended_at_ms,
    durationMs: told.duration_ms,
    outputDir: told.output_dir,
    blobIds: told.blob_ids,
    artifact: told.artifact,
  })
}
