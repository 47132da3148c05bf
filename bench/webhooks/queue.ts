import { join } from 'node:path'
import { deliveryStore } from '../../packages/server/src/partners/stores/deliveries.ts'
import { roomStore } from '../../packages/server/src/partners/stores/rooms.ts'
import { serviceAccountStore } from '../../packages/server/src/partners/stores/service-accounts.ts'
import { webhookStore } from '../../packages/server/src/partners/stores/webhooks.ts'
import { Deliveries } from '../../packages/server/src/partners/webhooks/deliveries.ts'
import { openIntegrationStore } from '../../packages/server/src/platform/db/open.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { dataOf, serveSender } from './sending.ts'

// The delivery queue of the built server with its database on disk, composed as in the service.

const SECRET = 'a secret of some length'
const person = { displayName: '', externalId: null, link: { version: 1, name: '' } }
const times = { startsAt: null, endsAt: null }
const room = { title: '', description: null, ...times, settings: {} }
const people = { teacher: person, student: person }

let deliveries: Deliveries

serveSender({
  /** Each receiver belongs to its own service account, which owns one room. */
  async open(receivers, url, folder) {
    const { db } = await openIntegrationStore(join(folder, 'integration.db'))
    const [rooms, serviceAccounts, webhooks] = [roomStore(db), serviceAccountStore(db), webhookStore(db)]
    const addReceiver = async (i: number) => {
      const [name, clientId] = [`school-${i}`, i + 1]
      await serviceAccounts.add({ name, clientId, secretHash: '', scopes: [], enabled: true, createdAt: 1 })
      const about = { clientId, externalId: 'lesson', tag: `room-${i}` }
      await rooms.findOrAdd({ ...room, ...about, status: 'scheduled', board: 'keep', people }, 1)
      const hook = { serviceAccount: name, url: `${url}/${i}`, secret: SECRET, enabled: true }
      await webhooks.save({ ...hook, events: ['transcription.ready'] }, 1)
    }
    await Promise.all(Array.from({ length: receivers }, (_, i) => addReceiver(i)))
    const log = createLog('error')
    const parts = { rooms, webhooks, deliveries: deliveryStore(db), clock: Date.now, log }
    deliveries = new Deliveries({ ...parts, allowInsecure: true })
    deliveries.start()
  },

  post: (receiver, subject) =>
    deliveries.emit(`room-${receiver}`, { event: 'transcription.ready', subject, data: dataOf(subject) }),
})
