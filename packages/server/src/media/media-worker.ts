import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWorker } from 'mediasoup'
import type { TransportListenInfo, WebRtcServer, Worker } from 'mediasoup/types'
import { watchWorker } from './worker-watch.ts'

export interface ListenSettings {
  ip: string
  /** What browsers are told; empty means `ip`. */
  announcedAddress: string
  /** Listened on as well, and announced as it is. */
  hostAddress: string | null
  /** UDP and TCP; 0 takes any free ones. */
  port: number
  maxIncomingBitrate: number
}

/** A process that forwards media, on a port of its own. */
export interface MediaWorker {
  /** Names the process: the next one in its place has another id. Clients see it as `rtc_node_id`. */
  id: string
  worker: Worker
  server: WebRtcServer
  listenIp: string
  /** Of each participant, in bits per second; 0: no limit. */
  maxIncomingBitrate: number
  /** How many things it carries. */
  load(): number
  /** Resolves when the process has ended. */
  close(): Promise<void>
}

const END_WITHIN_MS = 2_000
/** Key and salt of AEAD_AES_128_GCM (RFC 7714). */
const SRTP_KEY_BYTES = 28
/** Nothing is sent there. */
const DISCARD_PORT = 9

/** Rejects when the worker does not get as far as listening. One that hangs is told of, and killed: then it dies. */
export async function startMediaWorker(
  settings: ListenSettings,
  onHang: (pid: number) => void,
): Promise<MediaWorker> {
  const worker = await createWorker({ logLevel: 'error' })
  const ended = once(worker, 'subprocessclose')
  const stopWatching = watchWorker(worker, () => {
    onHang(worker.pid)
    kill(worker.pid)
  })
  const close = async () => {
    stopWatching()
    worker.close()
    const late = setTimeout(() => kill(worker.pid), END_WITHIN_MS)
    await ended
    clearTimeout(late)
  }
  try {
    await keepSrtpLoaded(worker)
    const load = countLoad(worker)
    const server = await worker.createWebRtcServer({ listenInfos: listenInfos(settings) })
    return {
      id: `rtc-${randomUUID()}`,
      worker,
      server,
      listenIp: settings.ip,
      maxIncomingBitrate: settings.maxIncomingBitrate,
      load,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Holds one SRTP session for as long as the worker lives. Debian's libsrtp is built on NSS, which loads its ciphers with
 * the first session and drops them with the last; that takes descriptors, of which attackers may have left none.
 */
async function keepSrtpLoaded(worker: Worker): Promise<void> {
  const router = await worker.createRouter()
  const transport = await router.createPlainTransport({
    listenInfo: { protocol: 'udp', ip: '127.0.0.1' },
    enableSrtp: true,
    srtpCryptoSuite: 'AEAD_AES_128_GCM',
  })
  const keyBase64 = randomBytes(SRTP_KEY_BYTES).toString('base64')
  const srtpParameters = { cryptoSuite: 'AEAD_AES_128_GCM' as const, keyBase64 }
  await transport.connect({ ip: '127.0.0.1', port: DISCARD_PORT, srtpParameters })
}

/** A worker that hangs does not hear that it should end. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended by itself
  }
}

/** Everybody's packets pass one socket, and the kernel drops what it cannot hold; it gives net.core.rmem_max at most. */
const SOCKET_BYTES = 4 * 1024 * 1024

function listenInfos({ ip, announcedAddress, hostAddress, port }: ListenSettings): TransportListenInfo[] {
  const addresses = [
    { ip, ...(announcedAddress && { announcedAddress }) },
    ...(hostAddress === null ? [] : [{ ip: hostAddress }]),
  ]
  return addresses.flatMap<TransportListenInfo>(address => {
    const info = { ...address, ...(port && { port }) }
    return [
      { ...info, protocol: 'udp', recvBufferSize: SOCKET_BYTES, sendBufferSize: SOCKET_BYTES },
      { ...info, protocol: 'tcp' },
    ]
  })
}

interface Closing {
  observer: { once(event: 'close', listener: () => void): unknown }
}

/** Counts routers, transports and what flows through them, as mediasoup tells of them. */
function countLoad(worker: Worker): () => number {
  let load = 0
  const count = ({ observer }: Closing) => {
    load += 1
    observer.once('close', () => {
      load -= 1
    })
  }
  worker.observer.on('newrouter', router => {
    count(router)
    router.observer.on('newtransport', transport => {
      count(transport)
      transport.observer.on('newproducer', count)
      transport.observer.on('newconsumer', count)
    })
  })
  return () => load
}
