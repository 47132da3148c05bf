import { contactStore } from '../../../messaging/stores/contacts.ts'
import { conversationStore } from '../../../messaging/stores/conversations.ts'
import { messageStore } from '../../../messaging/stores/messages.ts'
import { pushOutboxStore } from '../../../messaging/stores/push-outbox.ts'
import { describeMessagingStores } from '../../../messaging/testing/messages.contract.ts'
import { ordinaryConferenceStore } from '../../../sessions/stores/conferences.ts'
import type { TestStores } from './test-stores.ts'

export function describeMessageStores({ main }: TestStores): void {
  describeMessagingStores(async () => {
    const db = await main()
    const user = (id: number) => ({
      id,
      login: `u${id}`,
      display_name: `U ${id}`,
      kind: 'ordinary',
      capabilities: '[]',
      created_at: 0,
    })
    await db.insertInto('users').values([1, 2, 3].map(user)).execute()
    const conferences = ordinaryConferenceStore(db)
    const [ownerId, tag] = [1, 'aaaa']
    const conference = { tag, ownerId, title: 'A', createdAtMs: 1 }
    await conferences.add({ ...conference, entry: 'open', purpose: 'meeting' })
    return {
      messages: messageStore(db, { isPushEnabled: true }),
      outbox: pushOutboxStore(db),
      conversations: conversationStore(db),
      contacts: contactStore(db),
      users: [1, 2, 3],
      tag,
      removeConference: () => conferences.remove(tag, 1),
    }
  })
}
