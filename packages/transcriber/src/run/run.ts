import type { HeldJob, IncomingTrack } from '@lectern/worker-kit'
import type { Recognition } from '../recognition/recognition.ts'
import type { Shortfall } from '../recognition/voice.ts'
import { Microphone } from './microphone.ts'
import { Speakers } from './speakers.ts'
import { Teller } from './teller.ts'
import { Transcript } from './transcript.ts'

/** Listens to everybody's microphone. The sound of a shared screen is nobody's speech, and left out. */
export class Run {
  readonly #recognition: Recognition
  readonly #transcript: Transcript
  readonly #speakers: Speakers
  readonly #teller: Teller
  readonly #stopListening: () => void
  readonly #microphones = new Map<Microphone, Promise<void>>()
  readonly #shortfall: Shortfall = { skippedMs: 0, heldBackPartials: 0 }
  #failure: { error: unknown } | null = null

  constructor(held: HeldJob, recognition: Recognition, startedAtMs: number) {
    this.#recognition = recognition
    this.#transcript = new Transcript(startedAtMs)
    this.#speakers = new Speakers(() => held.session())
    this.#teller = new Teller(heard => held.say(heard))
    this.#stopListening = held.onTrack(track => this.#follow(track))
  }

  /** Everything that was said until now. */
  async end(): Promise<{ transcript: Transcript; shortfall: Shortfall }> {
    this.#stopListening()
    for (const microphone of this.#microphones.keys()) microphone.end()
    await Promise.all(this.#microphones.values())
    if (this.#failure) throw this.#failure.error
    await this.#teller.done()
    return { transcript: this.#transcript, shortfall: this.#shortfall }
  }

  #follow(track: IncomingTrack): void {
    if (track.source !== 'microphone') return
    const { participantId } = track
    this.#speakers.find(participantId)
    const microphone = new Microphone(track, this.#recognition, {
      partial: text => this.#teller.partial(participantId, text),
      final: (text, isCut) => {
        const speaker = this.#speakers.find(participantId)
        this.#teller.phrases(this.#transcript.add(speaker, text, isCut, Date.now()))
      },
    })
    const heard = microphone
      .hear()
      .then(({ skippedMs, heldBackPartials }) => {
        this.#shortfall.skippedMs += skippedMs
        this.#shortfall.heldBackPartials += heldBackPartials
      })
      .catch((error: unknown) => {
        this.#failure = { error }
      })
      .finally(() => this.#microphones.delete(microphone))
    this.#microphones.set(microphone, heard)
  }
}
