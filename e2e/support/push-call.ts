/**
 * A process of the server that stores a call for one subscribed account and notifies nobody (`store`), or one that
 * recovers what such a process has left (`recover`). Both run until they are killed. Arguments: what to do, database,
 * origin of the push service, VAPID keys.
 */

import { describeCall } from '../../packages/server/src/compose/call-events.ts'
import { DomainEvents } from '../../packages/server/src/domain-events.ts'
import { createCall } from '../../packages/server/src/messaging/calls/call-state.ts'
import { PushSender } from '../../packages/server/src/messaging/push/sender.ts'
import { PushService } from '../../packages/server/src/messaging/push/service.ts'
import { callStore } from '../../packages/server/src/messaging/stores/calls.ts'
import { pushCallOutboxStore } from '../../packages/server/src/messaging/stores/push-call-outbox.ts'
import { pushDeliveryStore } from '../../packages/server/src/messaging/stores/push-deliveries.ts'
import { pushOutboxStore } from '../../packages/server/src/messaging/stores/push-outbox.ts'
import { pushSubscriptionStore } from '../../packages/server/src/messaging/stores/push-subscriptions.ts'
import { openMainStore } from '../../packages/server/src/platform/db/open.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { addAccount, addSubscribedAccount } from './subscribed-account.ts'

const TTL_MS = 86_400_000

const [what, file = '', origin = '', publicKey = '', privateKey = ''] = process.argv.slice(2)
const { db } = await openMainStore(file)
const subscriptions = pushSubscriptionStore(db)
const calls = callStore(db, { isForPush: true, isForMail: false })
await (what === 'store' ? storeCall() : recover())
setInterval(() => {}, 1000)

async function storeCall() {
  const inviter = await addAccount(db, 'ben')
  const anna = await addSubscribedAccount(db, {
    login: 'anna',
    endpoint: `${origin}/call`,
    nowMs: Date.now(),
  })
  const call = createCall({
    tag: 'tag',
    ownsConference: true,
    video: true,
    inviter: { userId: inviter, displayName: 'Ben' },
    people: [{ userId: anna, displayName: 'Anna', state: 'ringing' }],
    createdAtMs: Date.now(),
    ringUntilMs: Date.now() + 600_000,
  })
  await calls.add({ ...call, commandId: 'c', title: 'Ben, Anna' })
  console.log('stored')
}

async function recover() {
  const log = createLog('warn')
  const vapid = { publicKey, privateKey, subject: 'mailto:admin@example.org' }
  const service = new PushService({
    subscriptions,
    deliveries: pushDeliveryStore(db),
    outbox: pushOutboxStore(db),
    describeMessage: async () => null,
    callOutbox: pushCallOutboxStore(db),
    describeCall: describeCall(calls),
    sender: new PushSender({ vapid, native: null, ttlMs: TTL_MS, allowInsecure: true, clock: Date.now }),
    presence: { hasConnection: () => false, hasVisibleConnection: () => false },
    ttlMs: TTL_MS,
    domainEvents: new DomainEvents(log),
    clock: Date.now,
    log,
  })
  service.start()
  setInterval(() => service.tick().catch(error => console.error(error)), 500)
}
