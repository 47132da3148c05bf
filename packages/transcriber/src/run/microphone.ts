import type { IncomingTrack } from '@lectern/worker-kit'
import { Ear } from '../audio/ear.ts'
import type { Recognition } from '../recognition/recognition.ts'
import type { Shortfall, VoiceListener } from '../recognition/voice.ts'

const TICK_MS = 100

/** Hears one track, from its first packet to its last word. */
export class Microphone {
  readonly #track: IncomingTrack
  readonly #recognition: Recognition
  readonly #listener: VoiceListener
  readonly #over: Promise<void>
  #end!: () => void

  constructor(track: IncomingTrack, recognition: Recognition, listener: VoiceListener) {
    this.#track = track
    this.#recognition = recognition
    this.#listener = listener
    this.#over = new Promise(resolve => {
      this.#end = resolve
    })
  }

  /** Resolves when the track is over, or end() was called, and the last word is recognised. */
  async hear(): Promise<Shortfall> {
    const voice = this.#recognition.open(this.#listener)
    const ear = await Ear.open(samples => this.#recognition.push(voice, samples))
    const ticks = setInterval(() => ear.tick(), TICK_MS)
    this.#track.listen({
      packet: rtp => ear.packet(rtp),
      report: () => {},
      paused: () => {}, // nothing comes then, and that is silence
      ended: this.#end,
    })
    await this.#over
    clearInterval(ticks)
    ear.close()
    await this.#recognition.end(voice)
    return voice.shortfall
  }

  /** Listens no longer. Safe to call twice. */
  end(): void {
    this.#end()
  }
}
