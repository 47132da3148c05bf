/**
 * Runs the push queue of the server in a process that can be killed. The first start subscribes many accounts and
 * notifies them of one message; it exits when nothing waits any more. Arguments: database, origin of the push service,
 * number of accounts, offset of the clock in ms (which skips retry delays), VAPID keys.
 */

import { DomainEvents, type MessageStored } from '../../packages/server/src/domain-events.ts'
import { PushSender } from '../../packages/server/src/messaging/push/sender.ts'
import { PushService } from '../../packages/server/src/messaging/push/service.ts'
import { pushCallOutboxStore } from '../../packages/server/src/messaging/stores/push-call-outbox.ts'
import { pushDeliveryStore } from '../../packages/server/src/messaging/stores/push-deliveries.ts'
import { pushOutboxStore } from '../../packages/server/src/messaging/stores/push-outbox.ts'
import { pushSubscriptionStore } from '../../packages/server/src/messaging/stores/push-subscriptions.ts'
import { openMainStore } from '../../packages/server/src/platform/db/open.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { addSubscribedAccount } from './subscribed-account.ts'

const [file = '', origin = '', accounts, aheadMs, publicKey = '', privateKey = ''] = process.argv.slice(2)
const TTL_MS = 7 * 86_400_000

const store = await openMainStore(file)
const { db } = store
const clock = () => Date.now() + Number(aheadMs)
const [subscriptions, deliveries] = [pushSubscriptionStore(db), pushDeliveryStore(db)]
const log = createLog('warn')
const domainEvents = new DomainEvents(log)
const vapid = { publicKey, privateKey, subject: 'mailto:admin@example.org' }
const service = new PushService({
  subscriptions,
  deliveries,
  outbox: pushOutboxStore(db),
  describeMessage: async (_chatId, _messageId, userId) => messageTo(userId === undefined ? [] : [userId]),
  callOutbox: pushCallOutboxStore(db),
  describeCall: async () => null,
  sender: new PushSender({ vapid, native: null, ttlMs: TTL_MS, allowInsecure: true, clock }),
  presence: { hasConnection: () => false, hasVisibleConnection: () => false },
  ttlMs: TTL_MS,
  domainEvents,
  clock,
  log,
})
if ((await subscriptions.count()) === 0) await subscribeAll()
service.start()
console.log('started')
for (;;) {
  const { count } = await deliveries.pending()
  if (count === 0) break
  await new Promise(done => setTimeout(done, 20))
}
await service.stop()
await store.close()
console.log('finished')

async function subscribeAll() {
  const ids: number[] = []
  for (let number = 0; number < Number(accounts); number++) {
    const account = { login: `user-${number}`, endpoint: `${origin}/${number}`, nowMs: clock() }
    ids.push(await addSubscribedAccount(db, account))
  }
  domainEvents.publish('message-stored', messageTo(ids))
  while ((await deliveries.pending()).count < ids.length) await new Promise(done => setTimeout(done, 5))
}

/** The one message of this program, whose receivers have not read it. */
function messageTo(userIds: number[]): MessageStored {
  return {
    message: { id: '1', userId: 0, displayName: 'Ben', text: 'Are you there?', sentAtMs: Date.now() },
    chat: { id: 'conference:x', kind: 'conference', title: 'Board' },
    recipients: userIds.map(userId => ({ userId, isMuted: false })),
  }
}
