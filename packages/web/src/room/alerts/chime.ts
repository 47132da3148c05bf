import { resumeAudio } from '../../devices/resume-audio.ts'
import type { AlertName } from './alerts.ts'

/** Frequencies in Hz, one after the other: rising for who comes, a pair for a hand, a single one for a message. */
const NOTES_HZ: Record<AlertName, readonly number[]> = {
  join: [523.25, 659.25],
  hand: [783.99, 783.99],
  message: [659.25],
}
const NOTE_S = 0.14
/** Quiet beside voices. */
const GAIN = 0.07
const FADE_S = 0.015

/** `setSinkId` is missing in some browsers, which then use the system's speaker. */
type Context = AudioContext & { setSinkId?: (id: string) => Promise<void> }

/** Plays a short sound on the speaker with this id. Failures are silent: the notice is visible in any case. */
export async function playChime(name: AlertName, speakerId: string): Promise<void> {
  const context: Context = new AudioContext()
  try {
    if (speakerId) await context.setSinkId?.(speakerId)
    await schedule(context, NOTES_HZ[name])
  } catch {
    // Without a click on the page, browsers play nothing.
  } finally {
    await context.close()
  }
}

function schedule(context: AudioContext, notes: readonly number[]): Promise<void> {
  const played = notes.map((frequency, index) => {
    const start = context.currentTime + index * NOTE_S
    const volume = new GainNode(context, { gain: 0 })
    volume.gain.setValueAtTime(0, start)
    volume.gain.linearRampToValueAtTime(GAIN, start + FADE_S)
    volume.gain.linearRampToValueAtTime(0, start + NOTE_S)
    const note = new OscillatorNode(context, { frequency })
    note.connect(volume).connect(context.destination)
    note.start(start)
    note.stop(start + NOTE_S)
    return note
  })
  // A suspended context never ends its notes.
  return new Promise((resolve, reject) => {
    played.at(-1)?.addEventListener('ended', () => resolve())
    if (context.state !== 'running') resumeAudio(context)
    setTimeout(() => reject(new Error('suspended')), 2_000)
  })
}
