import { entriesOf, type StatsEntry, type StatsReport, selectedPairOf } from './stats-report.ts'

/** The statistics of WebRTC as numbers that people understand. Fields that a browser does not report are null. */

export interface StreamStatistics {
  /** Null in the first reading. */
  kbps: number | null
  /** Lost packets since the last reading. */
  lossPercent: number | null
  resolution: { width: number; height: number; fps: number | null } | null
  /** Such as VP8 or opus. */
  codec: string | null
}

export interface RouteStatistics {
  rttMs: number | null
  protocol: 'udp' | 'tcp' | null
  /** Over a TURN server. */
  isRelayed: boolean
}

/** By the id of the received track. */
export function readReceived(now: StatsReport, before: StatsReport | null): Map<string, StreamStatistics> {
  const streams = new Map<string, StreamStatistics>()
  for (const entry of entriesOf(now, 'inbound-rtp')) {
    const last = before?.get(entry.id)
    const lost = difference(entry.packetsLost, last?.packetsLost)
    const received = difference(entry.packetsReceived, last?.packetsReceived)
    streams.set(entry.trackIdentifier ?? entry.id, {
      kbps: rateOf(entry, last, 'bytesReceived'),
      lossPercent: lost === null || received === null ? null : percent(lost, lost + received),
      resolution: resolutionOf(entry),
      codec: codecOf(entry, now),
    })
  }
  return streams
}

/** By the id of the sent track. The layers of a camera are one stream: their rates are added, and the largest is shown. */
export function readSent(now: StatsReport, before: StatsReport | null): Map<string, StreamStatistics> {
  const streams = new Map<string, StreamStatistics>()
  const remote = entriesOf(now, 'remote-inbound-rtp')
  for (const entry of entriesOf(now, 'outbound-rtp')) {
    const track = now.get(entry.mediaSourceId ?? '')?.trackIdentifier ?? entry.kind ?? entry.id
    const fraction = remote.find(({ localId }) => localId === entry.id)?.fractionLost
    const layer: StreamStatistics = {
      kbps: rateOf(entry, before?.get(entry.id), 'bytesSent'),
      lossPercent: fraction === undefined ? null : percent(fraction, 1),
      resolution: resolutionOf(entry),
      codec: codecOf(entry, now),
    }
    const other = streams.get(track)
    streams.set(track, other ? merge(other, layer) : layer)
  }
  return streams
}

/** Null while the transport has no route. */
export function readRoute(now: StatsReport): RouteStatistics | null {
  const pair = selectedPairOf(now)
  if (!pair) return null
  const local = now.get(pair.localCandidateId ?? '')
  const remote = now.get(pair.remoteCandidateId ?? '')
  const protocol = local?.relayProtocol ?? local?.protocol
  return {
    rttMs: pair.currentRoundTripTime === undefined ? null : Math.round(pair.currentRoundTripTime * 1000),
    protocol: protocol === undefined ? null : protocol === 'udp' ? 'udp' : 'tcp',
    isRelayed: [local, remote].some(each => each?.candidateType === 'relay'),
  }
}

function merge(one: StreamStatistics, other: StreamStatistics): StreamStatistics {
  const [small, large] = pixelsOf(one) < pixelsOf(other) ? [one, other] : [other, one]
  return {
    kbps: one.kbps === null || other.kbps === null ? null : one.kbps + other.kbps,
    lossPercent: large.lossPercent ?? small.lossPercent,
    resolution: large.resolution,
    codec: large.codec ?? small.codec,
  }
}

const pixelsOf = ({ resolution }: StreamStatistics) => (resolution?.width ?? 0) * (resolution?.height ?? 0)

const difference = (now: number | undefined, before: number | undefined): number | null =>
  now === undefined || before === undefined ? null : Math.max(now - before, 0)

function rateOf(
  now: StatsEntry,
  before: StatsEntry | undefined,
  field: 'bytesReceived' | 'bytesSent',
): number | null {
  const bytes = difference(now[field], before?.[field])
  const ms = before ? now.timestamp - before.timestamp : 0
  return bytes === null || ms <= 0 ? null : Math.round((bytes * 8) / ms)
}

const percent = (part: number, whole: number) => (whole > 0 ? Math.min((100 * part) / whole, 100) : 0)

function resolutionOf({
  frameWidth,
  frameHeight,
  framesPerSecond,
}: StatsEntry): StreamStatistics['resolution'] {
  if (!frameWidth || !frameHeight) return null
  return { width: frameWidth, height: frameHeight, fps: framesPerSecond ?? null }
}

const codecOf = ({ codecId }: StatsEntry, report: StatsReport): string | null =>
  report.get(codecId ?? '')?.mimeType?.split('/')[1] ?? null
