import type { WebRtcTransport } from 'mediasoup/types'
import { Endpoint } from './endpoint.ts'
import { readFileDescriptorUsage, usageRatio } from './file-descriptors.ts'
import type { MediaWorker } from './media-worker.ts'
import type { MediaTraffic, MediaWorkerStatus } from './ports.ts'
import type { RoomState } from './room-state.ts'

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

export const readWorkerStatus = async ({ id, worker, load }: MediaWorker): Promise<MediaWorkerStatus> => {
  const [usage, descriptors] = await Promise.all([
    worker.getResourceUsage().catch(() => null), // it has died meanwhile
    readFileDescriptorUsage(worker.pid),
  ])
  return {
    id,
    pid: worker.pid,
    load: load(),
    processorMs: usage && usage.ru_utime + usage.ru_stime,
    descriptors: descriptors && {
      open: descriptors.open,
      limit: Number.isFinite(descriptors.limit) ? descriptors.limit : null,
    },
  }
}

/** Processor time by worker, in milliseconds. */
export const processorTimes = (workers: MediaWorkerStatus[]): Map<string, number> =>
  new Map(workers.flatMap(({ id, processorMs }) => (processorMs === null ? [] : [[id, processorMs]])))

/** The highest file descriptor usage among the workers, 0 to 1. */
export const fileDescriptorRatio = (workers: Pick<MediaWorkerStatus, 'descriptors'>[]): number =>
  Math.max(
    0,
    ...workers.map(({ descriptors }) =>
      descriptors?.limit ? usageRatio(descriptors.open, descriptors.limit) : 0,
    ),
  )

const transportsOf = ({ members }: RoomState): WebRtcTransport[] =>
  [...members.values()].flatMap(({ endpoint }) =>
    endpoint instanceof Endpoint ? [endpoint.send.transport, endpoint.receive.transport] : [],
  )

async function statsOf(transport: WebRtcTransport) {
  if (transport.closed) return null
  const [stats] = await transport.getStats().catch(() => [])
  return stats ?? null
}
