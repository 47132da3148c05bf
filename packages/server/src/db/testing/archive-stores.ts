import { describeOwnRecordings } from '../../records/testing/own-recordings.contract.ts'
import { describeRecordingStore } from '../../records/testing/recordings.contract.ts'
import { describeRetention } from '../../records/testing/retention.contract.ts'
import { describeTranscriptStore } from '../../records/testing/transcripts.contract.ts'
import { describeBlobIndex } from '../../storage/testing/index.contract.ts'
import { auditStore } from '../audit.ts'
import { blobIndex } from '../blobs.ts'
import { chatStore } from '../chat.ts'
import { ordinaryConferenceStore } from '../conferences.ts'
import { jobStore } from '../jobs.ts'
import { ownRecordingStore } from '../own-recordings.ts'
import { recordingRemovalStore } from '../recording-removals.ts'
import { recordingStore } from '../recordings.ts'
import { retentionStore } from '../retention.ts'
import { transcriptStore } from '../transcripts.ts'
import type { TestStores } from './test-stores.ts'

export function describeArchiveStores({ main }: TestStores): void {
  describeBlobIndex(async () => {
    const db = await main()
    return { index: blobIndex(db), jobs: jobStore(db), recordings: recordingStore(db) }
  })
  describeRecordingStore(async () => recordingStore(await main()))
  describeTranscriptStore(async () => transcriptStore(await main()))
  describeRetention(async () => {
    const db = await main()
    return {
      retention: retentionStore(db),
      recordings: recordingStore(db),
      removals: recordingRemovalStore(db),
      transcripts: transcriptStore(db),
      own: ownRecordingStore(db),
      chat: chatStore(db),
      audit: auditStore(db),
      setLastMessage: (chat_id: string, last_message_id: number) =>
        db.insertInto('conversations').values({ chat_id, tag: null, last_message_id }).execute(),
      lastMessage: async (chatId: string) => {
        const query = db.selectFrom('conversations').select('last_message_id').where('chat_id', '=', chatId)
        return (await query.executeTakeFirst())?.last_message_id
      },
    }
  })
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
