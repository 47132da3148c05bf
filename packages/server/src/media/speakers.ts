import type { ActiveSpeakerObserver, AudioLevelObserver, Producer, Router } from 'mediasoup/types'
import type { AudioLevel } from './ports.ts'

export interface SpeakerEvents {
  activeSpeaker(participantId: string | null): void
  audioLevels(levels: AudioLevel[]): void
}

const LEVELS_EVERY_MS = 500
const LOUDEST = 8
const SILENCE_DBOV = -60
/** Longer than the pauses of somebody who speaks. */
const SILENT_AFTER_MS = 2000
/** For who has come in the meantime, or has missed it. */
const AGAIN_AFTER_MS = 1000

/** Listens to the microphones of a room. */
export class Speakers {
  readonly #levels: AudioLevelObserver
  readonly #dominance: ActiveSpeakerObserver
  readonly #events: SpeakerEvents
  readonly #participants = new Map<string, string>()
  #dominant: string | null = null
  #isSilent = true
  #pause: NodeJS.Timeout | undefined
  #told: string | null = null
  #toldAt = 0

  private constructor(levels: AudioLevelObserver, dominance: ActiveSpeakerObserver, events: SpeakerEvents) {
    this.#levels = levels
    this.#dominance = dominance
    this.#events = events
  }

  static async in(router: Router, events: SpeakerEvents): Promise<Speakers> {
    const [levels, dominance] = await Promise.all([
      router.createAudioLevelObserver({
        interval: LEVELS_EVERY_MS,
        maxEntries: LOUDEST,
        threshold: SILENCE_DBOV,
      }),
      router.createActiveSpeakerObserver(),
    ])
    const speakers = new Speakers(levels, dominance, events)
    speakers.#listen()
    return speakers
  }

  /** Until the microphone is closed. */
  async add(microphone: Producer, participantId: string): Promise<void> {
    this.#participants.set(microphone.id, participantId)
    microphone.observer.once('close', () => {
      this.#participants.delete(microphone.id)
      if (this.#dominant === participantId) this.#dominant = null
      this.#tell()
    })
    const producerId = microphone.id
    await Promise.all([this.#levels.addProducer({ producerId }), this.#dominance.addProducer({ producerId })])
  }

  #listen(): void {
    this.#dominance.on('dominantspeaker', ({ producer }) => {
      this.#dominant = this.#participants.get(producer.id) ?? null
      this.#tell()
    })
    this.#levels.on('volumes', volumes => {
      clearTimeout(this.#pause)
      this.#setSilent(false)
      const levels = volumes.flatMap(({ producer, volume }) => {
        const participantId = this.#participants.get(producer.id)
        return participantId === undefined ? [] : [{ participantId, dBov: volume }]
      })
      this.#events.audioLevels(levels)
    })
    this.#levels.on('silence', () => {
      this.#pause = setTimeout(() => this.#setSilent(true), SILENT_AFTER_MS)
      this.#events.audioLevels([])
    })
    this.#levels.observer.once('close', () => clearTimeout(this.#pause))
  }

  #setSilent(isSilent: boolean): void {
    this.#isSilent = isSilent
    this.#tell()
  }

  #tell(): void {
    // Somebody is dominant for mediasoup even when nobody has spoken, or no longer does.
    const active = this.#isSilent ? null : this.#dominant
    const now = performance.now()
    if (active === this.#told && (active === null || now - this.#toldAt < AGAIN_AFTER_MS)) return
    this.#told = active
    this.#toldAt = now
    this.#events.activeSpeaker(active)
  }
}
