import { describe, expect, it } from 'vitest'
import { LOOKAHEAD_MS, TrackClock } from './track-clock.ts'

interface Heard {
  timestamp: number
  arrivedAtMs: number
}

const START_MS = 1_795_000_000_000
const RATE = 48_000

/** The mapped time of each packet, relative to the start of the track. */
function play(
  packets: Heard[],
  reports: { timestamp: number; sentAtMs: number; atMs: number }[] = [],
): number[] {
  const clock = new TrackClock(RATE)
  let next = 0
  let told = 0
  return packets.map(({ timestamp, arrivedAtMs }) => {
    while (next < packets.length && (packets[next]?.arrivedAtMs ?? 0) <= arrivedAtMs + LOOKAHEAD_MS) {
      const heard = packets[next++]
      clock.observe(heard?.timestamp ?? 0, heard?.arrivedAtMs ?? 0)
    }
    for (; (reports[told]?.atMs ?? Number.POSITIVE_INFINITY) <= arrivedAtMs + LOOKAHEAD_MS; told++) {
      clock.observe(reports[told]?.timestamp ?? 0, reports[told]?.sentAtMs ?? 0)
    }
    return clock.sentAtMs(timestamp, arrivedAtMs) - START_MS
  })
}

/** One packet per 20 ms. */
const talk = (seconds: number, delayMs: (sentMs: number) => number, first = 1000): Heard[] =>
  Array.from({ length: seconds * 50 }, (_, place) => ({
    timestamp: (first + place * 960) >>> 0,
    arrivedAtMs: START_MS + place * 20 + delayMs(place * 20),
  }))

const noise = (ms: number) => ((ms * 7919) % 97) / 97

describe('TrackClock', () => {
  it('ignores jitter', () => {
    const times = play(talk(20, ms => 10 + 80 * noise(ms)))
    for (const [place, time] of times.entries()) expect(Math.abs(time - place * 20 - 11)).toBeLessThan(3)
  })

  it('ignores network stalls', () => {
    const times = play(talk(10, ms => (ms > 4000 && ms < 5500 ? 10 + 5500 - ms : 10)))
    for (const [place, time] of times.entries()) expect(time).toBeCloseTo(place * 20 + 10, 1)
  })

  it('handles the wrap of RTP time', () => {
    const times = play(talk(4, () => 10, 2 ** 32 - 48_000))
    for (const [place, time] of times.entries()) expect(time).toBeCloseTo(place * 20 + 10, 1)
  })

  it('re-anchors after the RTP clock stood still, as after replaceTrack(null)', () => {
    const before = talk(4, () => 10)
    const after = talk(4, () => 10, 1000 + 200 * 960).map(each => ({
      ...each,
      arrivedAtMs: each.arrivedAtMs + 4000 + 3000,
    }))
    const times = play([...before, ...after])
    expect(times[199]).toBeCloseTo(199 * 20 + 10, 1)
    expect(times[200]).toBeCloseTo(7010, 1)
    expect(times[399]).toBeCloseTo(7010 + 199 * 20, 1)
  })

  it('follows a drift of 100 ppm', () => {
    const times = play(talk(300, ms => 10 + ms * 1e-4 + 30 * noise(ms)))
    const last = 300 * 50 - 1
    expect(Math.abs((times[last] ?? 0) - (last * 20 + 10 + 30))).toBeLessThan(6)
  })

  it('uses sender reports that precede the arrival', () => {
    const reports = [{ timestamp: 1000 + 960 * 25, sentAtMs: START_MS + 500, atMs: START_MS + 540 }]
    const [first] = play(
      talk(3, () => 40),
      reports,
    )
    expect(first).toBeCloseTo(0, 1)
  })
})
