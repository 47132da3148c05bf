import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config/index.ts'
import { blobIndex } from './db/blobs.ts'
import { ordinaryConferenceStore } from './db/conferences.ts'
import { recordingStore } from './db/recordings.ts'
import type { MainSchema } from './db/schema.ts'
import { transcriptStore } from './db/transcripts.ts'
import type { Integration } from './hooks.ts'
import type { JobsParts } from './jobs/jobs.ts'
import type { Job } from './jobs/ports.ts'
import { Archive } from './records/archive.ts'
import { Outbox } from './records/outbox.ts'
import { keepRecording } from './records/recording-result.ts'
import { Transcripts } from './records/transcripts.ts'
import { Uploads } from './records/uploads.ts'
import { DiskBlobs } from './storage/disk-blobs.ts'
import { RESERVE_BYTES } from './storage/space.ts'

interface Parts {
  db: Kysely<MainSchema>
  clock: Clock
  log: Logger
  /** Asked for late, because the module and the jobs need what is made here. */
  integration: () => Integration
  heldBy: (userId: number) => Promise<Job[]>
}

/** Everything between the files that workers bring and the news that partners get. */
export async function loadRecords(config: Config, { db, clock, log, integration, heldBy }: Parts) {
  const recordings = recordingStore(db)
  const transcriptRows = transcriptStore(db)
  const conferences = ordinaryConferenceStore(db)
  const blobs = await DiskBlobs.open({
    folder: config.Storage.Url,
    index: blobIndex(db),
    clock,
    reserve: RESERVE_BYTES,
  })
  const outbox = new Outbox({
    recordings,
    transcripts: transcriptRows,
    announce: (tag, news) => integration().notifyPartner(tag, news),
    clock,
    log,
  })
  const onAdded = () => void outbox.look()
  const roomOwner = (tag: string) => integration().ownerOf(tag)
  const archive = new Archive({ store: recordings, blobs, ownerOf: roomOwner, clock, onAdded })
  const transcripts = new Transcripts({ store: transcriptRows, blobs, clock, onAdded })
  const uploads = new Uploads({
    blobs,
    heldBy,
    ownerOf: async tag => (await roomOwner(tag)) ?? (await conferences.find(tag))?.ownerId ?? null,
  })

  const results: JobsParts['results'] = {
    recording: (job, result) => keepRecording(archive, job, result),
    transcription: (job, result) => transcripts.keep(job, result),
  }
  const sweep = async () => {
    const removed = Object.entries(await blobs.sweep()).map(([why, { length }]) => [why, length] as const)
    if (removed.some(([, count]) => count > 0))
      log.warn(Object.fromEntries(removed), 'left-over files were removed')
  }
  const readings = {
    ...uploads.readings,
    recordings_stored: { help: 'Records in the archive.', read: () => recordings.count() },
  }
  return { blobs, archive, transcripts, uploads, outbox, results, sweep, readings }
}
