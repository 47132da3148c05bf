/**
 * A process of the built server that stores a call for one subscribed account and notifies nobody (`store`), or one that
 * recovers what such a process has left (`recover`). Both run until they are killed. Arguments: what to do, database,
 * origin of the push service, VAPID keys.
 */
import { createECDH, randomBytes } from 'node:crypto'
import { createCall } from '../../packages/server/dist/calls/call.js'
import { describeCall } from '../../packages/server/dist/compose/call-events.js'
import { authSessionStore } from '../../packages/server/dist/db/auth-sessions.js'
import { callStore } from '../../packages/server/dist/db/calls.js'
import { openMainStore } from '../../packages/server/dist/db/open.js'
import { pushCallOutboxStore } from '../../packages/server/dist/db/push-call-outbox.js'
import { pushDeliveryStore } from '../../packages/server/dist/db/push-deliveries.js'
import { pushOutboxStore } from '../../packages/server/dist/db/push-outbox.js'
import { pushSubscriptionStore } from '../../packages/server/dist/db/push-subscriptions.js'
import { userStore } from '../../packages/server/dist/db/users.js'
import { DomainEvents } from '../../packages/server/dist/domain-events.js'
import { createLog } from '../../packages/server/dist/log.js'
import { PushSender } from '../../packages/server/dist/push/sender.js'
import { PushService } from '../../packages/server/dist/push/service.js'

const [what, file, origin, publicKey, privateKey] = process.argv.slice(2)
const { db } = await openMainStore(file)
const subscriptions = pushSubscriptionStore(db)
const calls = callStore(db, { isForPush: true })
await (what === 'store' ? storeCall() : recover())
setInterval(() => {}, 1000)

async function storeCall() {
  const user = { displayName: '', kind: 'ordinary', passwordHash: null, capabilities: [], createdAt: 1 }
  const [{ id: inviter }, { id: anna }] = [
    await userStore(db).add({ ...user, login: 'ben' }),
    await userStore(db).add({ ...user, login: 'anna' }),
  ]
  const times = {
    createdAt: 1,
    usedAt: 1,
    expiresAt: Math.floor(Date.now() / 1000) + 86_400,
    revokedAt: null,
  }
  const signIn = { id: 'signin', userId: anna, generation: 1, secretHash: null, lastRequest: null, ...times }
  await authSessionStore(db).add({ ...signIn, network: null, browser: null, platform: null })
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const subscription = {
    clientId: anna,
    endpoint: `${origin}/call`,
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
  await subscriptions.save(subscription, { authSessionId: 'signin', replaces: null, max: 20 })
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
    sender: new PushSender({ vapid, native: null, allowInsecure: true, clock: Date.now }),
    presence: { hasConnection: () => false, hasVisibleConnection: () => false },
    ttlMs: 86_400_000,
    domainEvents: new DomainEvents(log),
    clock: Date.now,
    log,
  })
  service.start()
  setInterval(() => service.tick().catch(error => console.error(error)), 500)
}
