import { resumeAudio } from '../devices/resume-audio.ts'

/** A pattern of tones, repeated: when each begins, in seconds, and its frequencies in Hz. */
interface Pattern {
  everyMs: number
  tones: readonly { atS: number; durationS: number; frequencies: readonly number[] }[]
  gain: number
}

/** `incoming` is loud enough to be audible across a room, `waiting` is quiet, `outgoing` is what a telephone plays. */
const PATTERNS = {
  incoming: {
    everyMs: 2_800,
    tones: [0, 0.22, 0.44, 1.1, 1.32, 1.54].map((atS, i) => ({
      atS,
      durationS: 0.2,
      frequencies: [[659.3, 784, 987.8][i % 3] as number],
    })),
    gain: 0.16,
  },
  waiting: { everyMs: 6_000, tones: [{ atS: 0, durationS: 0.25, frequencies: [784] }], gain: 0.05 },
  outgoing: { everyMs: 5_000, tones: [{ atS: 0, durationS: 1, frequencies: [425] }], gain: 0.04 },
} as const satisfies Record<string, Pattern>
export type RingPattern = keyof typeof PATTERNS

/** Times of fading in and out, which keep tones from clicking. */
const FADE_S = 0.015

/**
 * Plays the pattern until the signal aborts. Of several tabs of this browser one plays it; while one of them is in a
 * conference, no other is loud. Browsers allow sound only after the user has used the page; before that it is silent.
 */
export async function ring(name: RingPattern, signal: AbortSignal): Promise<void> {
  // Absent where the page is not served over https.
  if (!('locks' in navigator)) return playUntil(PATTERNS[name], signal)
  const stolen = new AbortController()
  const play = () => playUntil(PATTERNS[name], AbortSignal.any([signal, stolen.signal]))
  const lock = name === 'outgoing' ? 'lectern.ring.outgoing' : 'lectern.ring'
  const options = name === 'waiting' ? { steal: true } : { signal }
  await navigator.locks.request(lock, options, play).catch(() => stolen.abort())
}

async function playUntil(pattern: Pattern, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const context = new AudioContext()
  const playOnce = () => {
    resumeAudio(context)
    // Tones that were scheduled while the context was suspended would all sound at once.
    if (context.state === 'running') schedule(context, pattern)
  }
  context.onstatechange = () => context.state === 'running' && schedule(context, pattern)
  playOnce()
  const timer = setInterval(playOnce, pattern.everyMs)
  await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
  clearInterval(timer)
  context.onstatechange = null
  await context.close()
}

function schedule(context: AudioContext, { tones, gain }: Pattern): void {
  for (const { atS, durationS, frequencies } of tones) {
    const start = context.currentTime + atS
    const volume = new GainNode(context, { gain: 0 })
    volume.gain.setValueAtTime(0, start)
    volume.gain.linearRampToValueAtTime(gain, start + FADE_S)
    volume.gain.setValueAtTime(gain, start + durationS - FADE_S)
    volume.gain.linearRampToValueAtTime(0, start + durationS)
    volume.connect(context.destination)
    for (const frequency of frequencies) {
      const tone = new OscillatorNode(context, { frequency })
      tone.connect(volume)
      tone.start(start)
      tone.stop(start + durationS)
    }
  }
}
