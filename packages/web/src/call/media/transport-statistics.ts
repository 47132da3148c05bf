import type { MediaTransports } from '../ports.ts'
import { entriesOf, selectedPairOf, toStatsReport } from './stats-report.ts'

/** Measurements of both transports of an endpoint. */
export interface TransportStatistics {
  /** The capacity of the connection to the server as the browser estimates it, in bits per second; null: unknown. */
  sendableBps: number | null
  /** Every layer of a video that is being sent: what it has sent so far, and what it may send now. */
  videos: { id: string; atMs: number; bytes: number; targetBps: number }[]
  /** Whether the browser sends less of a video because encoding it takes too much processor time. */
  isEncoderBusy: boolean
  /** The share of sent audio packets that were lost lately, 0 to 1, as the server reports it. */
  sentLoss: number
  /** Every audio track that is received: its packets so far. A track that has ended is missing. */
  audio: { id: string; received: number; lost: number }[]
}

/** Losses of audio: lost packets of video are sent again. */
export function summarise(stats: Awaited<ReturnType<MediaTransports['getStats']>>): TransportStatistics {
  const [send, receive] = [toStatsReport(stats.send), toStatsReport(stats.receive)]
  const losses = entriesOf(send, 'remote-inbound-rtp').flatMap(({ kind, fractionLost }) =>
    kind === 'audio' && fractionLost !== undefined ? [fractionLost] : [],
  )
  return {
    sendableBps: selectedPairOf(send)?.availableOutgoingBitrate ?? null,
    videos: entriesOf(send, 'outbound-rtp').flatMap(
      ({ id, kind, timestamp, bytesSent = 0, targetBitrate }) =>
        kind === 'video' && targetBitrate
          ? [{ id, atMs: timestamp, bytes: bytesSent, targetBps: targetBitrate }]
          : [],
    ),
    isEncoderBusy: entriesOf(send, 'outbound-rtp').some(
      ({ qualityLimitationReason }) => qualityLimitationReason === 'cpu',
    ),
    sentLoss: losses.length === 0 ? 0 : sum(losses) / losses.length,
    audio: entriesOf(receive, 'inbound-rtp').flatMap(({ id, kind, packetsReceived = 0, packetsLost = 0 }) =>
      kind === 'audio' ? [{ id, received: packetsReceived, lost: packetsLost }] : [],
    ),
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
