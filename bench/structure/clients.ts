// The clients of main.ts in a thread of their own, so that what runs in the main thread is the server alone.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { ControlClient as Client } from '@lectern/control-client'
import { WebSocket } from 'ws'

const file = join(workerData.checkout, 'packages/control-client/src/index.ts')
const { ControlClient, platformEnvironment }: typeof import('@lectern/control-client') = await import(
  pathToFileURL(file).href
)
const clients = new Map<string, Client>()

const tasks = {
  async connect(name: string, url: string, token: string): Promise<void> {
    const client = new ControlClient(platformEnvironment(WebSocket), {
      url,
      accessToken: async () => token,
      client: { name: 'structure', version: '1', platform: 'node' },
    })
    clients.set(name, client)
    const isReady = new Promise<void>(resolve => {
      client.state.subscribe(() => client.state.get().is === 'ready' && resolve())
    })
    client.open()
    await isReady
  },
  command: (name: string, ...command: Parameters<Client['command']>) => clientOf(name).command(...command),
  /** Resolves with the answer to an offer to publish. */
  offer: (
    name: string,
    media: Parameters<Client['sendMedia']>[0],
    body: Parameters<Client['sendMedia']>[2],
  ) =>
    new Promise((resolve, reject) => {
      const client = clientOf(name)
      const stop = client.onMedia(message => {
        if (message.name !== 'webrtc_answer' || message.media.negotiation_id !== media.negotiation_id) return
        stop()
        if (message.body.error) reject(new Error(JSON.stringify(message.body.error)))
        else resolve(message.body)
      })
      client.sendMedia(media, 'webrtc_offer', body)
    }),
  close(): void {
    for (const client of clients.values()) client.close()
  },
}

export type Tasks = typeof tasks

function clientOf(name: string): Client {
  const client = clients.get(name)
  if (!client) throw new Error(`${name} is not connected`)
  return client
}

parentPort?.on('message', async ({ id, task, args }: { id: number; task: keyof Tasks; args: never[] }) => {
  try {
    const work = tasks[task] as (...args: never[]) => unknown
    parentPort?.postMessage({ id, result: await work(...args) })
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) })
  }
})
