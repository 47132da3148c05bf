import type { StatsReport } from '../media/stats-report.ts'
import type { TransportStatistics } from '../media/transport-statistics.ts'

/** The result of `getStats` of a transport. */
export const statsReport = (...entries: object[]) =>
  new Map(entries.map(each => [(each as { id: string }).id, each])) as unknown as StatsReport & RTCStatsReport

/** Reports of two transports whose summary is the given one. */
export function statsOf({ sendableBps, videos, isEncoderBusy, sentLoss, audio }: TransportStatistics) {
  const pair = { id: 'pair', type: 'candidate-pair', selected: true }
  return {
    send: statsReport(
      sendableBps === null ? pair : { ...pair, availableOutgoingBitrate: sendableBps },
      ...videos.map(({ id, atMs, bytes, targetBps }) => ({
        ...{ id, type: 'outbound-rtp', kind: 'video', timestamp: atMs },
        ...{ bytesSent: bytes, targetBitrate: targetBps },
      })),
      ...(isEncoderBusy ? [{ id: 'busy', type: 'outbound-rtp', qualityLimitationReason: 'cpu' }] : []),
      { id: 'report', type: 'remote-inbound-rtp', kind: 'audio', fractionLost: sentLoss },
    ),
    receive: statsReport(
      ...audio.map(({ id, received, lost }) => ({
        ...{ id, type: 'inbound-rtp', kind: 'audio' },
        ...{ packetsReceived: received, packetsLost: lost },
      })),
    ),
  }
}
