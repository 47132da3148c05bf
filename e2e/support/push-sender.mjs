/**
 * Runs the push queue of the built server in a process that can be killed. The first start subscribes many accounts and
 * notifies them of one message; it exits when nothing waits any more. Arguments: database, origin of the push service,
 * number of accounts, offset of the clock in ms (which skips retry delays), VAPID keys.
 */
import { createECDH, randomBytes } from 'node:crypto'
import { authSessionStore } from '../../packages/server/dist/db/auth-sessions.js'
import { openMainStore } from '../../packages/server/dist/db/open.js'
import { pushDeliveryStore } from '../../packages/server/dist/db/push-deliveries.js'
import { pushSubscriptionStore } from '../../packages/server/dist/db/push-subscriptions.js'
import { userStore } from '../../packages/server/dist/db/users.js'
import { DomainEvents } from '../../packages/server/dist/domain-events.js'
import { createLog } from '../../packages/server/dist/log.js'
import { PushSender } from '../../packages/server/dist/push/sender.js'
import { PushService } from '../../packages/server/dist/push/service.js'

const [file, origin, accounts, aheadMs, publicKey, privateKey] = process.argv.slice(2)
const DAY_MS = 86_400_000

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
  sender: new PushSender({ vapid, native: null, allowInsecure: true, clock }),
  presence: { hasConnection: () => false, hasVisibleConnection: () => false },
  ttlMs: 7 * DAY_MS,
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
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const ids = []
  for (let number = 0; number < Number(accounts); number++) {
    const user = { login: `user-${number}`, displayName: '', kind: 'ordinary', passwordHash: null }
    const { id } = await userStore(db).add({ ...user, capabilities: [], createdAt: 1 })
    const signIn = { id: `signin-${id}`, userId: id, generation: 1, secretHash: null, lastRequest: null }
    const times = { createdAt: 1, usedAt: 1, expiresAt: Math.floor(clock() / 1000) + 30 * 86_400 }
    await authSessionStore(db).add({
      ...signIn,
      ...times,
      network: null,
      browser: null,
      platform: null,
      revokedAt: null,
    })
    const subscription = {
      clientId: id,
      endpoint: `${origin}/${number}`,
      provider: 'webpush',
      token: '',
      p256dh: keys.getPublicKey('base64url'),
      auth: randomBytes(16).toString('base64url'),
      permission: 'granted',
      platform: 'web',
      userAgent: '',
      expirationTime: null,
      subscriptionJson: '{}',
      updatedAt: 1,
    }
    await subscriptions.save(subscription, { authSessionId: signIn.id, replaces: null, max: 20 })
    ids.push(id)
  }
  domainEvents.publish('message-stored', {
    message: { id: 'm', userId: 0, displayName: 'Ben', text: 'Are you there?', sentAtMs: clock() },
    chat: { id: 'conference:x', kind: 'conference', title: 'Board' },
    recipients: ids.map(userId => ({ userId, isMuted: false })),
  })
  while ((await deliveries.pending()).count < ids.length) await new Promise(done => setTimeout(done, 5))
}
