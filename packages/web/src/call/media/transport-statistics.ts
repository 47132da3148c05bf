import type { TransportStatistics } from '../ports.ts'

/** The fields of WebRTC statistics that are read; which ones an entry has depends on its type. */
interface Entry {
  id: string
  type: string
  kind?: string
  selected?: boolean // Firefox
  selectedCandidatePairId?: string
  availableOutgoingBitrate?: number
  fractionLost?: number
  packetsReceived?: number
  packetsLost?: number
  timestamp?: number
  bytesSent?: number
  targetBitrate?: number
}

/**
 * Summarises the statistics of the sending and the receiving transport. Losses are those of audio: lost packets of video
 * are sent again.
 */
export function summarise(sending: Iterable<Entry>, receiving: Iterable<Entry>): TransportStatistics {
  const sent = [...sending]
  const losses = sent.flatMap(({ type, kind, fractionLost }) =>
    type === 'remote-inbound-rtp' && kind === 'audio' && fractionLost !== undefined ? [fractionLost] : [],
  )
  const inbound = [...receiving].filter(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio')
  return {
    sendableBps: selectedPair(sent)?.availableOutgoingBitrate ?? null,
    videos: sent.flatMap(({ id, type, kind, timestamp = 0, bytesSent = 0, targetBitrate }) =>
      type === 'outbound-rtp' && kind === 'video' && targetBitrate
        ? [{ id, atMs: timestamp, bytes: bytesSent, targetBps: targetBitrate }]
        : [],
    ),
    sentLoss: losses.length === 0 ? 0 : sum(losses) / losses.length,
    received: sum(inbound.map(({ packetsReceived = 0 }) => packetsReceived)),
    lost: sum(inbound.map(({ packetsLost = 0 }) => packetsLost)),
  }
}

function selectedPair(entries: Entry[]): Entry | undefined {
  const transport = entries.find(({ type }) => type === 'transport')
  return entries.find(({ id, type, selected }) => {
    if (type !== 'candidate-pair') return false
    return transport ? id === transport.selectedCandidatePairId : selected
  })
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
