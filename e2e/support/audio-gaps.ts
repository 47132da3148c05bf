import type { Visitor } from './visitor.ts'

interface AudioGaps {
  longestMs: number
  /** Of what was played since the measurement began. */
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
 * have joined instrumented, and receive one uninterrupted voice.
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
  let gapMs = 0
  let before: { total: number; concealed: number } | null = null
  const read = async () => {
    let total = 0
    let concealed = 0
    for (const connection of measuring.connections) {
      if (connection.connectionState === 'closed') continue
      for (const [, entry] of await connection.getStats()) {
        if (entry.type !== 'inbound-rtp' || entry.kind !== 'audio') continue
        total += entry.totalSamplesReceived ?? 0
        concealed += entry.concealedSamples ?? 0
      }
    }
    return { total, concealed }
  }
  const step = async () => {
    const now = await read()
    if (before && now.total > before.total) {
      const played = now.total - before.total
      const concealed = now.concealed - before.concealed
      const [playedMs, concealedMs] = [played / 48, concealed / 48]
      gaps.playedMs += playedMs
      // A reading that is concealed for the most part continues the gap; another one ends it.
      gapMs += concealedMs
      gaps.longestMs = Math.max(gaps.longestMs, gapMs)
      if (concealedMs < playedMs * 0.8) gapMs = 0
    }
    before = now
  }
  const timer = setInterval(() => void step(), 100)
  measuring.gaps = gaps
  measuring.stopGaps = () => clearInterval(timer)
}
