import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deliveryStore } from '../../../db/integration/deliveries.ts'
import { roomStore } from '../../../db/integration/rooms.ts'
import { serviceAccountStore } from '../../../db/integration/service-accounts.ts'
import { webhookStore } from '../../../db/integration/webhooks.ts'
import { openIntegrationStore } from '../../../db/open.ts'
import type { PartnerEvent } from '../../../hooks.ts'
import type { WebhookSubscription } from '../../ports.ts'

const SECRET = 'a secret of some length'
export const START = Date.UTC(2030, 0, 1)

export type TestPartners = Awaited<ReturnType<typeof openPartners>>

/** A real store in its own folder, with a manual clock. */
export async function openPartners() {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-webhooks-'))
  const store = await openIntegrationStore(join(folder, 'a.db'))
  const rooms = roomStore(store.db)
  const webhooks = webhookStore(store.db)
  const deliveries = deliveryStore(store.db)
  const serviceAccounts = serviceAccountStore(store.db)
  let now = START

  return {
    rooms,
    webhooks,
    deliveries,
    serviceAccounts,
    clock: () => now,
    /** Advances the clock. */
    pass: (ms: number) => {
      now += ms
    },
    /** A service account with a webhook, whose technical user owns the room with the tag `room-<clientId>`. */
    add: async (name: string, clientId: number, webhook: Partial<WebhookSubscription> & { url: string }) => {
      const account = { name, clientId, secretHash: '', scopes: [], enabled: true, createdAt: 1 }
      await serviceAccounts.add(account)
      const person = { displayName: '', externalId: null, link: { version: 1, name: '' } }
      await rooms.findOrAdd(
        {
          clientId,
          externalId: `lesson-${clientId}`,
          tag: `room-${clientId}`,
          title: '',
          description: null,
          startsAt: null,
          endsAt: null,
          status: 'scheduled',
          people: { teacher: person, student: person },
          board: 'keep',
        },
        1,
      )
      const both = ['recording.ready', 'transcription.ready'] as const
      await webhooks.save(
        { serviceAccount: name, secret: SECRET, events: [...both], enabled: true, ...webhook },
        1,
      )
    },
    /** A due delivery without an event. */
    addDelivery: (serviceAccount: string, id: string) =>
      deliveries.add(
        [{ id, serviceAccount, event: 'recording.ready', subject: id, body: `{"id":"${id}"}` }],
        now,
      ),
    close: async () => {
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export const transcript = (
  text = 'Здравствуйте 😀',
): Extract<PartnerEvent, { event: 'transcription.ready' }>['data'] => ({
  transcription: {
    id: 'job-1',
    job_id: 'job-1',
    conference_tag: 'room-1',
    conference_session_id: 7,
    status: 'completed',
    language: 'ru',
    started_at_ms: START,
    ended_at_ms: START + 60_000,
    reason: 'stopped',
    text,
    segments: [],
  },
})
