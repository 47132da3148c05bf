import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWorker } from 'mediasoup'
import type { TransportListenInfo, WebRtcServer, Worker } from 'mediasoup/types'
import { boundAddress, isWildcard } from '../platform/address.ts'
import type { AnnouncedName } from './announced-name.ts'
import { startHealthCheck } from './worker-health-check.ts'

export interface ListenSettings {
  ip: string
  /** Announced in ICE candidates; empty means `ip`. */
  announcedAddress: string
  announcedName: AnnouncedName
  /** The address of the machine: in place of a wildcard, or beside another address. It is announced as it is. */
  hostAddress: string | null
  /** The address for links with other hosts. */
  pipeIp: string
  /** For UDP and TCP; 0 picks free ports. */
  port: number
  maxIncomingBitrate: number
}

/** A mediasoup worker process with its own port. */
export interface MediaWorker {
  /** Unique per process: a replacement has another id. Clients see it as `rtc_node_id`. */
  id: string
  worker: Worker
  server: WebRtcServer
  listenIp: string
  hostAddress: string | null
  announcedName: AnnouncedName
  /** Per participant, in bits per second; 0: no limit. */
  maxIncomingBitrate: number
  /** The address for links with other hosts. */
  pipeIp: string
  /** The number of its routers, transports, producers and consumers. */
  load(): number
  consumers(): number
  /** Resolves when the process has exited. */
  close(): Promise<void>
}

const CLOSE_TIMEOUT_MS = 2_000
/** Key and salt of AEAD_AES_128_GCM (RFC 7714). */
const SRTP_KEY_BYTES = 28
/** RFC 863; nothing is sent to it. */
const DISCARD_PORT = 9

/** Rejects when the worker does not start listening. A worker that hangs is reported to `onHang` and killed. */
export async function startMediaWorker(
  settings: ListenSettings,
  onHang: (pid: number) => void,
): Promise<MediaWorker> {
  const worker = await createWorker({ logLevel: 'error' })
  const ended = once(worker, 'subprocessclose')
  const stopWatching = startHealthCheck(worker, () => {
    onHang(worker.pid)
    kill(worker.pid)
  })
  const close = async () => {
    stopWatching()
    worker.close()
    const late = setTimeout(() => kill(worker.pid), CLOSE_TIMEOUT_MS)
    await ended
    clearTimeout(late)
  }
  try {
    await holdSrtpSession(worker)
    const load = countLoad(worker)
    const server = await worker.createWebRtcServer({ listenInfos: listenInfos(settings) }).catch(cause => {
      throw new Error(`Media cannot listen at [Media] ListenIp and Port: ${cause.message}`, { cause })
    })
    return {
      id: `rtc-${randomUUID()}`,
      worker,
      server,
      listenIp: settings.ip,
      hostAddress: settings.hostAddress,
      announcedName: settings.announcedName,
      pipeIp: settings.pipeIp,
      maxIncomingBitrate: settings.maxIncomingBitrate,
      ...load,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Holds one SRTP session while the worker lives. Debian's libsrtp derives keys with NSS, which loads its ciphers with the
 * first session and unloads them with the last. Loading needs file descriptors, which an attack may have exhausted.
 */
async function holdSrtpSession(worker: Worker): Promise<void> {
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

/** A hanging worker does not process a request to close; the rooms of one that dies move. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has exited already
  }
}

/** All packets share one socket, and the kernel drops what its buffer cannot hold; net.core.rmem_max is the upper limit. */
const SOCKET_BYTES = 4 * 1024 * 1024

function listenInfos({ ip, announcedAddress, hostAddress, port }: ListenSettings): TransportListenInfo[] {
  const addresses = [
    ...(hostAddress !== null && isWildcard(ip)
      ? []
      : [{ ip: boundAddress(ip, announcedAddress), ...(announcedAddress && { announcedAddress }) }]),
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

interface Closable {
  observer: { once(event: 'close', listener: () => void): unknown }
}

/** Counts routers, transports, producers and consumers by mediasoup's observer events. */
function countLoad(worker: Worker): Pick<MediaWorker, 'load' | 'consumers'> {
  let load = 0
  let consumers = 0
  const count = ({ observer }: Closable) => {
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
      transport.observer.on('newconsumer', consumer => {
        count(consumer)
        consumers += 1
        consumer.observer.once('close', () => {
          consumers -= 1
        })
      })
    })
  })
  return { load: () => load, consumers: () => consumers }
}
