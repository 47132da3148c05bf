import type { WebRtcTransport } from 'mediasoup/types'
import { Endpoint } from './endpoint.ts'
import type { MediaWorker } from './media-worker.ts'
import type { RoomState } from './room-state.ts'

/** What the media server transfers at the moment. */
export interface MediaTraffic {
  incomingBps: number
  outgoingBps: number
  /** Mean of the transports, 0 to 1; null without media. */
  packetLoss: number | null
}

/** Each request passes through the channel of a worker. */
const CONCURRENT_REQUESTS = 50

/** Sums the transports of participants. Transports that close meanwhile do not count. */
export async function measureTraffic(rooms: Iterable<RoomState>): Promise<MediaTraffic> {
  const transports = [...rooms].flatMap(transportsOf)
  const traffic = { incomingBps: 0, outgoingBps: 0 }
  const losses: number[] = []
  for (let i = 0; i < transports.length; i += CONCURRENT_REQUESTS)
    for (const stats of await Promise.all(transports.slice(i, i + CONCURRENT_REQUESTS).map(statsOf))) {
      if (!stats) continue
      traffic.incomingBps += stats.recvBitrate
      traffic.outgoingBps += stats.sendBitrate
      const { rtpPacketLossReceived: received, rtpPacketLossSent: sent } = stats
      losses.push(...[received, sent].filter(loss => loss !== undefined))
    }
  const packetLoss = losses.length === 0 ? null : losses.reduce((sum, loss) => sum + loss, 0) / losses.length
  return { ...traffic, packetLoss }
}

/** Processor time of the workers since they started, in milliseconds, by worker. */
export async function readProcessorTimes(workers: MediaWorker[]): Promise<Map<string, number>> {
  const usages = await Promise.all(
    workers.map(async ({ id, worker }) => {
      const usage = await worker.getResourceUsage().catch(() => null) // it has died meanwhile
      return usage && ([id, usage.ru_utime + usage.ru_stime] as const)
    }),
  )
  return new Map(usages.filter(usage => usage !== null))
}

const transportsOf = ({ members }: RoomState): WebRtcTransport[] =>
  [...members.values()].flatMap(({ endpoint }) =>
    endpoint instanceof Endpoint ? [endpoint.send.transport, endpoint.receive.transport] : [],
  )

async function statsOf(transport: WebRtcTransport) {
  if (transport.closed) return null
  const [stats] = await transport.getStats().catch(() => [])
  return stats ?? null
}
