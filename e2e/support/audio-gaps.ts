import type { Visitor } from './visitor.ts'

interface AudioGaps {
  /** Of one stream. */
  longestMs: number
  /** Of all streams since the measurement began. */
  playedMs: number
}

type Measuring = typeof globalThis & {
  connections: RTCPeerConnection[]
  gaps: AudioGaps
  stopGaps: () => void
}

/**
 * Measures for how long nothing of the others' voices was played but what the browser made up, until the returned
 * function is called. It counts samples, so that a busy machine that reads them late measures the same. The visitor MUST
 * have joined instrumented, and receive uninterrupted sound.
 */
export async function measureAudioGaps({ page }: Visitor): Promise<() => Promise<AudioGaps>> {
  await page.evaluate(startMeasuring)
  return () =>
    page.evaluate(() => {
      const { gaps, stopGaps } = globalThis as Measuring
      stopGaps()
      return gaps
    })
}

/** Runs in the page. */
function startMeasuring(): void {
  const measuring = globalThis as Measuring
  const gaps = { longestMs: 0, playedMs: 0 }
  interface Stream {
    total: number
    concealed: number
    gapMs: number
  }
  /** Voices and the sound of screens, each for itself. */
  const streams = new Map<string, Stream>()
  const onStream = (id: string, total: number, concealed: number) => {
    const before = streams.get(id) ?? { total, concealed, gapMs: 0 }
    const playedMs = (total - before.total) / 48
    const concealedMs = (concealed - before.concealed) / 48
    gaps.playedMs += playedMs
    const gapMs = before.gapMs + concealedMs
    gaps.longestMs = Math.max(gaps.longestMs, gapMs)
    // A reading that is concealed for the most part continues the gap; another one ends it.
    const isLasting = concealedMs >= playedMs * 0.8
    streams.set(id, { total, concealed, gapMs: isLasting ? gapMs : 0 })
  }
  const step = async () => {
    for (const [index, connection] of measuring.connections.entries()) {
      if (connection.connectionState === 'closed') continue
      for (const [id, entry] of await connection.getStats()) {
        if (entry.type !== 'inbound-rtp' || entry.kind !== 'audio') continue
        onStream(`${index} ${id}`, entry.totalSamplesReceived ?? 0, entry.concealedSamples ?? 0)
      }
    }
  }
  const timer = setInterval(() => void step(), 100)
  measuring.gaps = gaps
  measuring.stopGaps = () => clearInterval(timer)
}
