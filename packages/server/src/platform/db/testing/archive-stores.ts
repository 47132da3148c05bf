import { userStore } from '../../../accounts/stores/users.ts'
import { auditStore } from '../../../operations/stores/audit.ts'
import { retentionStore } from '../../../operations/stores/retention.ts'
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
import { describeRetention } from '../../../records/testing/retention.contract.ts'
import { describeTranscriptStore } from '../../../records/testing/transcripts.contract.ts'
import { chatStore } from '../../../sessions/stores/chat.ts'
import { ordinaryConferenceStore } from '../../../sessions/stores/conferences.ts'
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
      users: userStore(db),
      setLastMessage: (chat_id: string, last_message_id: number) =>
        db.insertInto('conversations').values({ chat_id, tag: null, last_message_id }).execute(),
      lastMessage: async (chatId: string) => {
        const query = db.selectFrom('conversations').select('last_message_id').where('chat_id', '=', chatId)
        return (await query.executeTakeFirst())?.last_message_id
      },
    }
  })
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
