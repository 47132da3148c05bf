import { describeBlobIndex } from '../../../records/storage/testing/index.contract.ts'
import { blobIndex } from '../../../records/stores/blobs.ts'
import { fileStore } from '../../../records/stores/files.ts'
import { jobStore } from '../../../records/stores/jobs.ts'
import { ownRecordingStore } from '../../../records/stores/own-recordings.ts'
import { recordingRemovalStore } from '../../../records/stores/recording-removals.ts'
import { recordingStore } from '../../../records/stores/recordings.ts'
import { transcriptStore } from '../../../records/stores/transcripts.ts'
import { describeFileStore } from '../../../records/testing/files.contract.ts'
import { describeOwnRecordings } from '../../../records/testing/own-recordings.contract.ts'
import { describeRecordingStore } from '../../../records/testing/recordings.contract.ts'
import { describeTranscriptStore } from '../../../records/testing/transcripts.contract.ts'
import { ordinaryConferenceStore } from '../../../sessions/stores/conferences.ts'
import type { TestStores } from './test-stores.ts'

export function describeArchiveStores({ main }: TestStores): void {
  describeBlobIndex(async () => {
    const db = await main()
    return { index: blobIndex(db), jobs: jobStore(db), recordings: recordingStore(db) }
  })
  describeRecordingStore(async () => recordingStore(await main()))
  describeTranscriptStore(async () => transcriptStore(await main()))
  describeFileStore(async () => fileStore(await main()))
  describeOwnRecordings(async () => {
    const db = await main()
    return {
      conferences: ordinaryConferenceStore(db),
      recordings: recordingStore(db),
      transcripts: transcriptStore(db),
      jobs: jobStore(db),
      own: ownRecordingStore(db),
      removals: recordingRemovalStore(db),
    }
  })
}
