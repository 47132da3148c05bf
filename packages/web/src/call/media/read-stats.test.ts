import { describe, expect, it } from 'vitest'
import { statsReport as report } from '../testing/stats-report.ts'
import { readReceived, readRoute, readSent } from './read-stats.ts'

const VP8 = { id: 'c1', type: 'codec', mimeType: 'video/VP8' }
const inbound = (parts: object) => ({
  id: 'in1',
  type: 'inbound-rtp',
  trackIdentifier: 'track1',
  codecId: 'c1',
  ...parts,
})

describe('readReceived', () => {
  it('computes rate and loss since the last reading', () => {
    const before = report(
      inbound({ timestamp: 1_000, bytesReceived: 1_000, packetsReceived: 90, packetsLost: 10 }),
    )
    const now = report(
      VP8,
      inbound({
        timestamp: 2_000,
        bytesReceived: 51_000,
        packetsReceived: 186,
        packetsLost: 14,
        frameWidth: 640,
        frameHeight: 360,
        framesPerSecond: 24,
      }),
    )
    expect(readReceived(now, before).get('track1')).toEqual({
      kbps: 400,
      lossPercent: 4,
      resolution: { width: 640, height: 360, fps: 24 },
      codec: 'VP8',
    })
  })

  it('reports values as unknown that the browser omits or that need two readings', () => {
    expect(readReceived(report(inbound({ timestamp: 1_000 })), null).get('track1')).toEqual({
      kbps: null,
      lossPercent: null,
      resolution: null,
      codec: null,
    })
  })

  it('survives counters that were reset', () => {
    const before = report(
      inbound({ timestamp: 1_000, bytesReceived: 9_000, packetsReceived: 9, packetsLost: 5 }),
    )
    const now = report(inbound({ timestamp: 2_000, bytesReceived: 10, packetsReceived: 1, packetsLost: 0 }))
    expect(readReceived(now, before).get('track1')).toMatchObject({ kbps: 0, lossPercent: 0 })
  })
})

describe('readSent', () => {
  it('adds the layers of a camera, and shows the largest', () => {
    const layer = (id: string, parts: object) => ({
      id,
      type: 'outbound-rtp',
      kind: 'video',
      mediaSourceId: 'source',
      codecId: 'c1',
      ...parts,
    })
    const source = { id: 'source', type: 'media-source', trackIdentifier: 'camera' }
    const before = report(
      layer('o1', { timestamp: 0, bytesSent: 0 }),
      layer('o2', { timestamp: 0, bytesSent: 0 }),
    )
    const now = report(
      VP8,
      source,
      layer('o1', { timestamp: 1_000, bytesSent: 12_500, frameWidth: 320, frameHeight: 180 }),
      layer('o2', { timestamp: 1_000, bytesSent: 87_500, frameWidth: 1280, frameHeight: 720 }),
      { id: 'r', type: 'remote-inbound-rtp', localId: 'o2', fractionLost: 0.02 },
    )
    expect([...readSent(now, before)]).toEqual([
      [
        'camera',
        { kbps: 800, lossPercent: 2, resolution: { width: 1280, height: 720, fps: null }, codec: 'VP8' },
      ],
    ])
  })
})

describe('readRoute', () => {
  const pair = { id: 'p', type: 'candidate-pair', localCandidateId: 'l', remoteCandidateId: 'r' }
  const remote = { id: 'r', type: 'remote-candidate', candidateType: 'host', protocol: 'udp' }

  it('reads the chosen pair of Chromium and of Firefox', () => {
    const local = { id: 'l', type: 'local-candidate', candidateType: 'host', protocol: 'udp' }
    const chromium = report({ id: 't', type: 'transport', selectedCandidatePairId: 'p' }, local, remote, {
      ...pair,
      currentRoundTripTime: 0.0421,
    })
    expect(readRoute(chromium)).toEqual({ rttMs: 42, protocol: 'udp', isRelayed: false })
    expect(readRoute(report(local, remote, { ...pair, selected: true }))).toEqual({
      rttMs: null,
      protocol: 'udp',
      isRelayed: false,
    })
  })

  it('detects TCP and relays', () => {
    const local = {
      id: 'l',
      type: 'local-candidate',
      candidateType: 'relay',
      protocol: 'udp',
      relayProtocol: 'tls',
    }
    expect(readRoute(report(local, remote, { ...pair, nominated: true, state: 'succeeded' }))).toEqual({
      rttMs: null,
      protocol: 'tcp',
      isRelayed: true,
    })
  })

  it('is nothing without a chosen pair', () => {
    expect(readRoute(report(pair))).toBeNull()
  })
})
