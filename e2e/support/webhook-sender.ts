/**
 * Runs the delivery queue of the server in a process that can be killed: emits all events at every start, and
 * exits when everything is delivered. Arguments: database, URL and secret of the receiver, number of events, offset of
 * the clock in ms (which skips retry delays).
 */
import { deliveryStore } from '../../packages/server/src/partners/stores/deliveries.ts'
import { roomStore } from '../../packages/server/src/partners/stores/rooms.ts'
import { serviceAccountStore } from '../../packages/server/src/partners/stores/service-accounts.ts'
import { webhookStore } from '../../packages/server/src/partners/stores/webhooks.ts'
import { Deliveries } from '../../packages/server/src/partners/webhooks/deliveries.ts'
import { openIntegrationStore } from '../../packages/server/src/platform/db/open.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'

const [file = '', url = '', secret = '', events, aheadMs] = process.argv.slice(2)
const store = await openIntegrationStore(file)
const [rooms, webhooks, deliveries] = [roomStore(store.db), webhookStore(store.db), deliveryStore(store.db)]
const clock = () => Date.now() + Number(aheadMs)

const person = { displayName: '', externalId: null, link: { version: 1, name: '' } }
const room = {
  clientId: 1,
  externalId: 'lesson',
  tag: 'tag',
  title: '',
  description: null,
  startsAt: null,
  endsAt: null,
}
await rooms.findOrAdd(
  { ...room, status: 'scheduled', people: { teacher: person, student: person }, board: 'keep', settings: {} },
  1,
)
const account = { name: 'school', clientId: 1, secretHash: '', scopes: [], enabled: true, createdAt: 1 }
await serviceAccountStore(store.db).add(account)
await webhooks.save(
  { serviceAccount: 'school', url, secret, events: ['transcription.ready'], enabled: true },
  1,
)

const queue = new Deliveries({
  rooms,
  webhooks,
  deliveries,
  allowInsecure: true,
  clock,
  log: createLog('warn'),
})
queue.start()
console.log('started')
for (let number = 0; number < Number(events); number++) {
  const transcription = {
    id: `job-${number}`,
    job_id: `job-${number}`,
    conference_tag: 'tag',
    conference_session_id: 1,
    status: 'completed',
    language: 'ru',
    started_at_ms: 1,
    ended_at_ms: 2,
    reason: 'completed',
    text: `Урок ${number} 😀 `.repeat(200),
    segments: [],
  }
  const subject = `transcription:job-${number}`
  await queue.emit('tag', { event: 'transcription.ready', subject, data: { transcription } })
}
while ((await deliveries.pending()).count > 0) await new Promise(done => setTimeout(done, 20))
await queue.stop()
const all = await deliveries.list({ limit: 10_000 })
const statuses = all.map(({ status }) => status)
const attempts = await Promise.all(all.map(async ({ id }) => [id, (await deliveries.attemptsOf(id)).length]))
await store.close()
console.log(JSON.stringify({ statuses, attempts: Object.fromEntries(attempts) }))
