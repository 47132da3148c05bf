import { describeOwnRecordings } from '../../records/testing/own-recordings.contract.ts'
import { describeRecordingStore } from '../../records/testing/recordings.contract.ts'
import { describeTranscriptStore } from '../../records/testing/transcripts.contract.ts'
import { describeBlobIndex } from '../../storage/testing/index.contract.ts'
import { blobIndex } from '../blobs.ts'
import { ordinaryConferenceStore } from '../conferences.ts'
import { jobStore } from '../jobs.ts'
import { ownRecordingStore } from '../own-recordings.ts'
import { recordingRemovalStore } from '../recording-removals.ts'
import { recordingStore } from '../recordings.ts'
import { transcriptStore } from '../transcripts.ts'
import type { TestStores } from './test-stores.ts'

export function describeArchiveStores({ main }: TestStores): void {
  describeBlobIndex(async () => {
    const db = await main()
    return { index: blobIndex(db), jobs: jobStore(db), recordings: recordingStore(db) }
  })
  describeRecordingStore(async () => recordingStore(await main()))
  describeTranscriptStore(async () => transcriptStore(await main()))
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
