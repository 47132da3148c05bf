// The clients of main.mjs in a thread of their own, so that what runs in the main thread is the server alone.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { WebSocket } from 'ws'

const file = join(workerData.checkout, 'packages/control-client/src/index.ts')
const { ControlClient, platformEnvironment } = await import(pathToFileURL(file).href)
const clients = new Map()

const tasks = {
  async connect(name, url, token) {
    const client = new ControlClient(platformEnvironment(WebSocket), {
      url,
      accessToken: async () => token,
      client: { name: 'structure', version: '1', platform: 'node' },
    })
    clients.set(name, client)
    const isReady = new Promise(resolve => {
      client.state.subscribe(() => client.state.get().is === 'ready' && resolve())
    })
    client.open()
    await isReady
  },
  command: (name, ...command) => clients.get(name).command(...command),
  /** Resolves with the answer to an offer to publish. */
  offer: (name, media, body) =>
    new Promise((resolve, reject) => {
      const client = clients.get(name)
      const stop = client.onMedia(message => {
        if (message.name !== 'webrtc_answer' || message.media.negotiation_id !== media.negotiation_id) return
        stop()
        if (message.body.error) reject(new Error(JSON.stringify(message.body.error)))
        else resolve(message.body)
      })
      client.sendMedia(media, 'webrtc_offer', body)
    }),
  close() {
    for (const client of clients.values()) client.close()
  },
}

parentPort.on('message', async ({ id, task, args }) => {
  try {
    parentPort.postMessage({ id, result: await tasks[task](...args) })
  } catch (error) {
    parentPort.postMessage({ id, error: String(error) })
  }
})
