import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { PartnerClient, type WebhookEvent } from '@lectern/partner'
import { startService } from '../support/lectern.ts'

/** The grace period of an empty session. */
export const GRACE_MS = 1_000

const SECRET = 'a secret of some length'

type Recording = Extract<WebhookEvent, { type: 'recording.ready' }>['data']['recording']

/** Runs a service with its recorder and a partner with a webhook. */
export async function startRecordedService(folder: string) {
  const waiting = new Map<string, (ready: { recording: Recording; atMs: number }) => void>()
  const receiver = createServer(async (request, response) => {
    const event = (await json(request)) as WebhookEvent
    response.writeHead(204).end()
    if (event.type !== 'recording.ready') return
    waiting.get(event.data.room.tag)?.({ recording: event.data.recording, atMs: performance.now() })
  })
  await new Promise<void>(done => receiver.listen(0, '127.0.0.1', done))
  const service = await startService(folder, {
    scopes: ['integration:rooms', 'blob'],
    settings: {
      SVC_RECORDER_EMBEDDED: '1',
      SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
      SVC_CONFERENCES_EMPTY_GRACE_SECONDS: String(GRACE_MS / 1000),
    },
  })
  const partner = new PartnerClient({ baseUrl: service.url, ...service.account })
  const { port } = receiver.address() as AddressInfo
  await partner.setWebhook({ url: `http://127.0.0.1:${port}/`, secret: SECRET })
  return {
    pid: service.program.pid,
    partner,
    /** MUST be called before the session ends. */
    ready: (tag: string) =>
      new Promise<{ recording: Recording; atMs: number }>(resolve => waiting.set(tag, resolve)),
    stop: async () => {
      await service.program.stop()
      receiver.closeAllConnections()
      receiver.close()
    },
  }
}
