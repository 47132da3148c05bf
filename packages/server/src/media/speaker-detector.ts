import type { ActiveSpeakerObserver, AudioLevelObserver, Producer, Router } from 'mediasoup/types'
import type { AudioLevel } from './ports.ts'

export interface SpeakerEvents {
  activeSpeaker(participantId: string | null): void
  audioLevels(levels: AudioLevel[]): void
}

const LEVEL_INTERVAL_MS = 500
const MAX_LEVELS = 8
const SILENCE_DBOV = -60
/** Longer than pauses within speech. */
const SILENT_AFTER_MS = 2000
/** Repeats the active speaker for participants who joined meanwhile or missed it. */
const REPEAT_INTERVAL_MS = 1000

/** Detects the active speaker and audio levels among the microphones of one router. */
export class SpeakerDetector {
  readonly #levels: AudioLevelObserver
  readonly #dominance: ActiveSpeakerObserver
  readonly #events: SpeakerEvents
  readonly #participants = new Map<string, string>()
  #dominant: string | null = null
  #isSilent = true
  #silenceTimer: NodeJS.Timeout | undefined
  #lastEmitted: string | null = null
  #lastEmittedAtMs = 0

  private constructor(levels: AudioLevelObserver, dominance: ActiveSpeakerObserver, events: SpeakerEvents) {
    this.#levels = levels
    this.#dominance = dominance
    this.#events = events
  }

  static async create(router: Router, events: SpeakerEvents): Promise<SpeakerDetector> {
    const [levels, dominance] = await Promise.all([
      router.createAudioLevelObserver({
        interval: LEVEL_INTERVAL_MS,
        maxEntries: MAX_LEVELS,
        threshold: SILENCE_DBOV,
      }),
      router.createActiveSpeakerObserver(),
    ])
    const speakers = new SpeakerDetector(levels, dominance, events)
    speakers.#subscribe()
    return speakers
  }

  /** The microphone is removed when it closes. */
  async add(microphone: Producer, participantId: string): Promise<void> {
    this.#participants.set(microphone.id, participantId)
    microphone.observer.once('close', () => {
      this.#participants.delete(microphone.id)
      if (this.#dominant === participantId) this.#dominant = null
      this.#emit()
    })
    const producerId = microphone.id
    await Promise.all([this.#levels.addProducer({ producerId }), this.#dominance.addProducer({ producerId })])
  }

  #subscribe(): void {
    this.#dominance.on('dominantspeaker', ({ producer }) => {
      this.#dominant = this.#participants.get(producer.id) ?? null
      this.#emit()
    })
    this.#levels.on('volumes', volumes => {
      clearTimeout(this.#silenceTimer)
      this.#setSilent(false)
      const levels = volumes.flatMap(({ producer, volume }) => {
        const participantId = this.#participants.get(producer.id)
        return participantId === undefined ? [] : [{ participantId, dBov: volume }]
      })
      this.#events.audioLevels(levels)
    })
    this.#levels.on('silence', () => {
      this.#silenceTimer = setTimeout(() => this.#setSilent(true), SILENT_AFTER_MS)
      this.#events.audioLevels([])
    })
    this.#levels.observer.once('close', () => clearTimeout(this.#silenceTimer))
  }

  #setSilent(isSilent: boolean): void {
    this.#isSilent = isSilent
    this.#emit()
  }

  #emit(): void {
    // mediasoup reports a dominant speaker even during silence.
    const active = this.#isSilent ? null : this.#dominant
    const now = performance.now()
    if (active === this.#lastEmitted && (active === null || now - this.#lastEmittedAtMs < REPEAT_INTERVAL_MS))
      return
    this.#lastEmitted = active
    this.#lastEmittedAtMs = now
    this.#events.activeSpeaker(active)
  }
}
