import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { Lifetime } from '../../lifetime.ts'
import { createLog } from '../../log.ts'
import { describeMessagingStores } from '../../messaging/testing/messages.contract.ts'
import { ordinaryConferenceStore } from '../conferences.ts'
import { contactStore } from '../messaging/contacts.ts'
import { conversationStore } from '../messaging/conversations.ts'
import { messageStore } from '../messaging/messages.ts'
import { openMainStore } from '../open.ts'
import { pushOutboxStore } from '../push-outbox.ts'

const dir = mkdtempSync(join(tmpdir(), 'lectern-messaging-stores-'))
const lifetime = new Lifetime(createLog('silent'))
lifetime.own('folder', dir, () => rmSync(dir, { recursive: true }))
afterAll(lifetime.close)

let files = 0

describeMessagingStores(async () => {
  const file = join(dir, `${++files}.db`)
  const { db } = lifetime.own('store', await openMainStore(file), store => store.close())
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
    removeConference: () => conferences.remove(tag),
  }
})
