import { tryEach } from '@lectern/common'
import type { Logger } from 'pino'
import type { DomainEvents } from '../domain-events.ts'
import type { Clock } from '../platform/clock.ts'
import { Archive } from '../records/archive.ts'
import type { ConferenceFiles } from '../records/files/conference-files.ts'
import type { Documents } from '../records/files/documents.ts'
import type { JobsParts } from '../records/jobs/jobs.ts'
import { OwnRecordings } from '../records/own-recordings.ts'
import { saveRecording } from '../records/recording-result.ts'
import { Transcripts } from '../records/transcripts.ts'
import type { Stores } from './stores.ts'

interface RecordsParts {
  stores: Pick<Stores, 'recordings' | 'transcripts' | 'blobs' | 'ownRecordings' | 'recordingRemovals'>
  /** The technical user who owns a partner's room; null for other conferences. */
  ownerOf: (tag: string) => Promise<number | null>
  /** Files of conferences, and the documents among them. */
  files: Pick<ConferenceFiles, 'sweep'>
  documents: Pick<Documents, 'save'>
  domainEvents: DomainEvents
  clock: Clock
  log: Logger
}

/** The archive of recordings and transcripts, which stores what jobs result in. */
export function composeRecords({
  stores,
  ownerOf,
  files,
  documents,
  domainEvents,
  clock,
  log,
}: RecordsParts) {
  const { recordings, blobs } = stores
  const onAdded = () => domainEvents.publish('record-stored', {})
  const archive = new Archive({ store: recordings, blobs, ownerOf, clock, onAdded })
  const transcripts = new Transcripts({ store: stores.transcripts, blobs, clock, onAdded })
  const ownRecordings = new OwnRecordings({
    store: stores.ownRecordings,
    removals: stores.recordingRemovals,
    blobs,
    clock,
    log,
  })
  const results: JobsParts['results'] = {
    recording: (job, result) => saveRecording(archive, job, result),
    transcription: (job, result) => transcripts.save(job, result),
    conversion: (job, result) => documents.save(job, result),
  }
  const removeOrphans = async () => {
    const removed = Object.entries(await blobs.sweep()).map(([why, { length }]) => [why, length] as const)
    if (removed.some(([, count]) => count > 0))
      log.warn(Object.fromEntries(removed), 'orphaned files were removed')
  }
  const sweep = () =>
    tryEach([() => ownRecordings.sweep(), () => files.sweep(), removeOrphans], each => each())
  return { archive, ownRecordings, transcripts, results, sweep }
}
