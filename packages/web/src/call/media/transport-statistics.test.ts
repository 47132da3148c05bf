import { describe, expect, it } from 'vitest'
import { statsReport } from '../testing/stats-report.ts'
import { summarise } from './transport-statistics.ts'

const summaryOf = (sent: object[], received: object[]) => {
  const [send, receive] = [statsReport(...sent), statsReport(...received)]
  return summarise({ send, receive })
}

const pair = (id: string, bps: number) => ({ id, type: 'candidate-pair', availableOutgoingBitrate: bps })

describe('summarise', () => {
  it('reads the estimate of the selected candidate pair', () => {
    const transport = { id: 't', type: 'transport', selectedCandidatePairId: 'b' }
    expect(summaryOf([pair('a', 1), transport, pair('b', 2)], []).sendableBps).toBe(2)
    expect(summaryOf([pair('a', 1), { ...pair('b', 2), selected: true }], []).sendableBps).toBe(2)
    expect(summaryOf([], []).sendableBps).toBe(null)
  })

  it('lists what the layers of videos have sent and may send', () => {
    const sent = {
      id: 'v',
      type: 'outbound-rtp',
      kind: 'video',
      timestamp: 5,
      bytesSent: 10,
      targetBitrate: 20,
    }
    const sending = [sent, { ...sent, id: 'a', kind: 'audio' }, { ...sent, id: 'inactive', targetBitrate: 0 }]
    expect(summaryOf(sending, []).videos).toEqual([{ id: 'v', atMs: 5, bytes: 10, targetBps: 20 }])
  })

  it('notices that the processor is too slow for a video', () => {
    const sent = (qualityLimitationReason: string) => ({
      id: qualityLimitationReason,
      type: 'outbound-rtp',
      qualityLimitationReason,
    })
    expect(summaryOf([sent('bandwidth'), sent('cpu')], []).isEncoderBusy).toBe(true)
    expect(summaryOf([sent('bandwidth')], []).isEncoderBusy).toBe(false)
  })

  it('counts the losses of audio only, because lost video is sent again', () => {
    const remote = (kind: string, fractionLost: number) => ({
      id: kind + fractionLost,
      type: 'remote-inbound-rtp',
      kind,
      fractionLost,
    })
    const inbound = (kind: string, packetsReceived: number, packetsLost: number) => ({
      id: `${kind}${packetsReceived}`,
      type: 'inbound-rtp',
      kind,
      packetsReceived,
      packetsLost,
    })
    const sending = [remote('audio', 0.1), remote('audio', 0), remote('video', 0.9)]
    const receiving = [inbound('audio', 90, 10), inbound('audio', 10, 0), inbound('video', 500, 500)]
    const audio = [
      { id: 'audio90', received: 90, lost: 10 },
      { id: 'audio10', received: 10, lost: 0 },
    ]
    expect(summaryOf(sending, receiving)).toMatchObject({ sentLoss: 0.05, audio })
    expect(summaryOf([], [])).toMatchObject({ sentLoss: 0, audio: [] })
  })
})
