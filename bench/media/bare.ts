import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createWorker } from 'mediasoup'
import type { Consumer, Producer, Router, WebRtcTransport } from 'mediasoup/types'
import { type WebSocket, WebSocketServer } from 'ws'

// The minimal conference server on mediasoup: one worker, a router per room, two transports per socket.
// No accounts, streams, speakers, qualities, limits or logs. Prints its address and the pid of the worker.

const mediaCodecs = [
  { kind: 'audio', mimeType: 'audio/opus', clockRate: 48_000, channels: 2 },
  { kind: 'video', mimeType: 'video/VP8', clockRate: 90_000 },
] as const

interface Room {
  router: Router
  producers: Producer[]
}

const worker = await createWorker({ logLevel: 'error' })
const rooms = new Map<string, Promise<Room>>()

async function openRoom(): Promise<Room> {
  return { router: await worker.createRouter({ mediaCodecs: [...mediaCodecs] }), producers: [] }
}

const describe = ({ id, iceParameters, iceCandidates, dtlsParameters }: WebRtcTransport) => ({
  id,
  iceParameters,
  iceCandidates,
  dtlsParameters,
})

async function serve(socket: WebSocket, name: string) {
  if (!rooms.has(name)) rooms.set(name, openRoom())
  const room = (await rooms.get(name)) as Room
  const open = () =>
    room.router.createWebRtcTransport({ listenInfos: [{ protocol: 'udp', ip: '127.0.0.1' }] })
  const [send, receive] = await Promise.all([open(), open()])
  const own: Producer[] = []
  const consumers: Consumer[] = []
  const work: Record<string, (body: never) => Promise<unknown>> = {
    open: async () => ({
      capabilities: room.router.rtpCapabilities,
      send: describe(send),
      receive: describe(receive),
    }),
    publish: async ({ kind, rtpParameters, dtlsParameters }) => {
      if (own.length === 0) await send.connect({ dtlsParameters })
      const producer = await send.produce({ kind, rtpParameters })
      own.push(producer)
      room.producers.push(producer)
    },
    receive: async ({ rtpCapabilities }) => {
      for (const { id: producerId } of room.producers.filter(each => !own.includes(each)))
        consumers.push(await receive.consume({ producerId, rtpCapabilities, paused: true }))
      return consumers.map(({ kind, rtpParameters }) => ({ kind, rtpParameters }))
    },
    answer: async ({ dtlsParameters }) => {
      await receive.connect({ dtlsParameters })
      await Promise.all(consumers.map(consumer => consumer.resume()))
    },
  }
  socket.on('message', async data => {
    const { name, body } = JSON.parse(data.toString())
    const result = await work[name]?.(body as never)
    socket.send(JSON.stringify({ result }))
  })
  socket.on('close', () => {
    send.close()
    receive.close()
    room.producers = room.producers.filter(each => !own.includes(each))
  })
  socket.send('ready')
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
server.on('connection', (socket, request) => void serve(socket, request.url ?? ''))
await once(server, 'listening')
const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
console.log(JSON.stringify({ url, workerPid: worker.pid }))
process.on('SIGTERM', () => process.exit(0))
