/** Some fields of the W3C's dictionaries of statistics; which ones an entry has depends on its type and on the browser. */
export interface StatsEntry {
  id: string
  type: string
  timestamp: number
  availableOutgoingBitrate?: number
  bytesReceived?: number
  bytesSent?: number
  candidateType?: string
  codecId?: string
  currentRoundTripTime?: number
  fractionLost?: number
  frameHeight?: number
  framesPerSecond?: number
  frameWidth?: number
  kind?: string
  localCandidateId?: string
  localId?: string
  mediaSourceId?: string
  mimeType?: string
  nominated?: boolean
  packetsLost?: number
  packetsReceived?: number
  protocol?: string
  qualityLimitationReason?: string
  relayProtocol?: string
  remoteCandidateId?: string
  selected?: boolean // Firefox
  selectedCandidatePairId?: string
  state?: string
  targetBitrate?: number
  trackIdentifier?: string
}

/** The statistics of one transport, by the id of the entry. */
export type StatsReport = ReadonlyMap<string, StatsEntry>

export const toStatsReport = (stats: RTCStatsReport): StatsReport => stats as unknown as StatsReport

export const entriesOf = (report: StatsReport, type: string): StatsEntry[] =>
  [...report.values()].filter(each => each.type === type)

/** The candidate pair that carries the packets; undefined while there is none. */
export function selectedPairOf(report: StatsReport): StatsEntry | undefined {
  const named = entriesOf(report, 'transport').map(each => report.get(each.selectedCandidatePairId ?? ''))
  return (
    named.find(each => each !== undefined) ??
    entriesOf(report, 'candidate-pair').find(
      each => each.selected || (each.nominated && each.state === 'succeeded'),
    )
  )
}
