import type { Logger } from 'pino'
import type { AcquiredProducer } from './pipes/incoming-pipes.ts'
import type { RoomRouter } from './room-router.ts'
import { SpeakerDetector, type SpeakerEvents } from './speaker-detector.ts'
import { RemoteSource, type TrackSource } from './track-source.ts'

const RETRY_MS = 1_000

interface Microphone {
  participantId: string
  source: TrackSource
}

/**
 * Detects the speakers of a room on one of its routers, to which all microphones are piped: several detectors would
 * disagree.
 */
export class RoomSpeakers {
  readonly #events: SpeakerEvents
  readonly #log: Logger
  /** By publication. */
  readonly #microphones = new Map<string, Microphone>()
  /** Whether this room detects; false where another node does, which has all microphones. */
  #isActive = true
  #place: { roomRouter: RoomRouter; detector: SpeakerDetector } | null = null

  constructor(events: SpeakerEvents, log: Logger) {
    this.#events = events
    this.#log = log
  }

  /** Detects on another router from now on. The former one is closed. */
  async moveTo(roomRouter: RoomRouter): Promise<void> {
    const detector = await SpeakerDetector.create(roomRouter.router, this.#events)
    this.#place = { roomRouter, detector }
    for (const id of this.#microphones.keys()) this.#detect(id)
  }

  setActive(isActive: boolean): void {
    if (isActive === this.#isActive) return
    this.#isActive = isActive
    if (isActive) for (const id of this.#microphones.keys()) this.#detect(id)
  }

  add(publicationId: string, microphone: Microphone): void {
    this.#microphones.set(publicationId, microphone)
    this.#detect(publicationId)
  }

  /** A microphone whose producer closes needs no removal before its publication ends. */
  remove(publicationId: string): void {
    this.#microphones.delete(publicationId)
  }

  /** The pipe of a microphone lasts as long as its producer or its router; one from another node is made again when it ends. */
  #detect(publicationId: string): void {
    const place = this.#place
    const microphone = this.#microphones.get(publicationId)
    if (!this.#isActive || !place || !microphone) return
    const { source, participantId } = microphone
    const detectAgain = () => {
      const isNeeded = this.#microphones.get(publicationId) === microphone && this.#place === place
      if (isNeeded && !place.roomRouter.router.closed) this.#detect(publicationId)
    }
    // The other node may have been unreachable for a moment, or considered failed.
    const retryLater = () => {
      if (source instanceof RemoteSource) setTimeout(detectAgain, RETRY_MS).unref()
    }
    const add = ({ producer }: AcquiredProducer) => {
      if (producer.closed) return retryLater()
      producer.observer.once('close', retryLater)
      return place.detector.add(producer, participantId)
    }
    const fail = (error: unknown) => {
      retryLater()
      throw error
    }
    source
      .acquire(place.roomRouter)
      .then(add, fail)
      .catch(error => this.#log.debug({ err: error }, 'microphone is closed'))
  }
}
