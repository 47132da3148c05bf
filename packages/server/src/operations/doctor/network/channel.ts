import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { decode, type StunMessage } from './stun.ts'

const TIMEOUT_MS = 3_000
const RETRANSMIT_MS = 500

export interface Destination {
  host: string
  port: number
  transport: 'udp' | 'tcp' | 'tls'
  /** Over TCP each message follows its length (RFC 4571), as in ICE; in TURN it has none. */
  isFramed?: boolean
  /** An authority besides those that Node.js trusts. */
  ca?: Buffer
}

/** Sends STUN messages to one destination and receives what it sends. */
export interface Channel {
  /** Resolves with the first message for which `isAnswer`; rejects when none comes in time. */
  request(bytes: Buffer, isAnswer: (message: StunMessage) => boolean): Promise<StunMessage>
  close(): void
}

/** Rejects with the reason if the destination does not exist or refuses connections. */
export async function openChannel({ host, port, transport, isFramed, ca }: Destination): Promise<Channel> {
  const listeners = new Set<(message: StunMessage) => void>()
  const receive = (bytes: Buffer) => {
    const message = decode(bytes)
    if (message) for (const listener of listeners) listener(message)
  }
  const { send, close } = await (transport === 'udp'
    ? openUdp(host, port, receive)
    : openStream({ host, port, transport, isFramed: isFramed ?? false, ...(ca && { ca }) }, receive))
  const request: Channel['request'] = (bytes, isAnswer) =>
    new Promise((resolve, reject) => {
      const timers = [
        setTimeout(() => end(() => reject(new Error('no answer'))), TIMEOUT_MS),
        // Packets may be lost; over a stream nothing is.
        setInterval(() => transport === 'udp' && send(bytes), RETRANSMIT_MS),
      ]
      const listener = (message: StunMessage) => isAnswer(message) && end(() => resolve(message))
      const end = (settle: () => void) => {
        for (const timer of timers) clearTimeout(timer)
        listeners.delete(listener)
        settle()
      }
      listeners.add(listener)
      send(bytes)
    })
  return { request, close }
}

type Open = Promise<{ send(bytes: Buffer): void; close(): void }>

async function openUdp(host: string, port: number, receive: (bytes: Buffer) => void): Open {
  const { address, family } = await lookup(host, { order: 'ipv4first' })
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  socket.on('message', receive)
  // An unreachable port is noticed as a missing answer.
  socket.on('error', () => {})
  socket.connect(port, address)
  await once(socket, 'connect')
  return { send: bytes => socket.send(bytes, () => {}), close: () => socket.close() }
}

async function openStream(
  { host, port, transport, isFramed, ca }: Destination,
  receive: (bytes: Buffer) => void,
): Open {
  const socket =
    transport === 'tls' ? connectTls({ host, port, servername: host, ca }) : connectTcp({ host, port })
  const prefix = isFramed ? 2 : 0
  let received = Buffer.alloc(0)
  socket.on('data', chunk => {
    received = Buffer.concat([received, chunk as Buffer])
    for (;;) {
      if (received.length < prefix + 4) return
      const end = prefix + (isFramed ? received.readUInt16BE(0) : 20 + received.readUInt16BE(2))
      if (received.length < end) return
      receive(received.subarray(prefix, end))
      received = received.subarray(end)
    }
  })
  await once(socket, transport === 'tls' ? 'secureConnect' : 'connect', {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    socket.destroy()
    throw error.name === 'AbortError' ? new Error('no answer') : error
  })
  socket.on('error', () => {}) // noticed as a missing answer
  const framed = (bytes: Buffer) =>
    Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
  return { send: bytes => void socket.write(isFramed ? framed(bytes) : bytes), close: () => socket.destroy() }
}

/** Whether a message answers the transaction. */
export const answers =
  (transaction: Buffer) =>
  ({ transaction: id, type }: StunMessage): boolean =>
    id === transaction.toString('hex') && (type & 0x100) !== 0
