import { describe, expect, it } from 'vitest'
import { LOOKAHEAD_MS, TrackClock } from './track-clock.ts'

interface Arrival {
  timestamp: number
  arrivedAtMs: number
}

const START_MS = 1_795_000_000_000
const RATE = 48_000

/** The mapped time of each packet, relative to the start of the track. */
function play(
  packets: Arrival[],
  reports: { timestamp: number; sentAtMs: number; atMs: number }[] = [],
): number[] {
  const clock = new TrackClock(RATE)
  let next = 0
  let nextReport = 0
  return packets.map(({ timestamp, arrivedAtMs }) => {
    while (next < packets.length && (packets[next]?.arrivedAtMs ?? 0) <= arrivedAtMs + LOOKAHEAD_MS) {
      const packet = packets[next++]
      clock.observe(packet?.timestamp ?? 0, packet?.arrivedAtMs ?? 0)
    }
    for (
      ;
      (reports[nextReport]?.atMs ?? Number.POSITIVE_INFINITY) <= arrivedAtMs + LOOKAHEAD_MS;
      nextReport++
    ) {
      clock.observe(reports[nextReport]?.timestamp ?? 0, reports[nextReport]?.sentAtMs ?? 0)
    }
    return clock.sentAtMs(timestamp, arrivedAtMs) - START_MS
  })
}

/** One packet per 20 ms. */
const steadyPackets = (seconds: number, delayMs: (sentMs: number) => number, first = 1000): Arrival[] =>
  Array.from({ length: seconds * 50 }, (_, index) => ({
    timestamp: (first + index * 960) >>> 0,
    arrivedAtMs: START_MS + index * 20 + delayMs(index * 20),
  }))

const noise = (ms: number) => ((ms * 7919) % 97) / 97

describe('TrackClock', () => {
  it('ignores jitter', () => {
    const times = play(steadyPackets(20, ms => 10 + 80 * noise(ms)))
    for (const [index, time] of times.entries()) expect(Math.abs(time - index * 20 - 11)).toBeLessThan(3)
  })

  it('ignores network stalls', () => {
    const times = play(steadyPackets(10, ms => (ms > 4000 && ms < 5500 ? 10 + 5500 - ms : 10)))
    for (const [index, time] of times.entries()) expect(time).toBeCloseTo(index * 20 + 10, 1)
  })

  it('handles the wrap of RTP time', () => {
    const times = play(steadyPackets(4, () => 10, 2 ** 32 - 48_000))
    for (const [index, time] of times.entries()) expect(time).toBeCloseTo(index * 20 + 10, 1)
  })

  it('re-anchors after the RTP clock stopped, as after replaceTrack(null)', () => {
    const before = steadyPackets(4, () => 10)
    const after = steadyPackets(4, () => 10, 1000 + 200 * 960).map(each => ({
      ...each,
      arrivedAtMs: each.arrivedAtMs + 4000 + 3000,
    }))
    const times = play([...before, ...after])
    expect(times[199]).toBeCloseTo(199 * 20 + 10, 1)
    expect(times[200]).toBeCloseTo(7010, 1)
    expect(times[399]).toBeCloseTo(7010 + 199 * 20, 1)
  })

  it('follows a drift of 100 ppm', () => {
    const times = play(steadyPackets(300, ms => 10 + ms * 1e-4 + 30 * noise(ms)))
    const last = 300 * 50 - 1
    expect(Math.abs((times[last] ?? 0) - (last * 20 + 10 + 30))).toBeLessThan(6)
  })

  it('returns no time in the future, however RTP time leaps', () => {
    const packets = steadyPackets(10, () => 10).map(({ arrivedAtMs }, index) => ({
      timestamp: (index * 2_654_435_761) >>> 0,
      arrivedAtMs,
    }))
    for (const [index, time] of play(packets).entries()) expect(time).toBeLessThan(index * 20 + 10 + 301)
  })

  it('uses sender reports that precede the arrival', () => {
    const reports = [{ timestamp: 1000 + 960 * 25, sentAtMs: START_MS + 500, atMs: START_MS + 540 }]
    const [first] = play(
      steadyPackets(3, () => 40),
      reports,
    )
    expect(first).toBeCloseTo(0, 1)
  })
})
