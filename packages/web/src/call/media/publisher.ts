import { backoffMs, type Lifetime, Observable, sleep } from '@lectern/common'
import type { MediaSource } from '@lectern/protocol/control/client'
import { randomId } from '../../random-id.ts'
import type { CurrentSession } from '../current-session.ts'
import type { ParticipantRef, Producer } from '../ports.ts'
import type { Endpoint } from './endpoint.ts'
import type { MediaConnection } from './media-connection.ts'
import { OfferRefused } from './offers.ts'

/** The track to publish; null: none. */
export type DesiredTrack = {
  track: MediaStreamTrack
  paused: boolean
  /** A camera in one encoding with spatial layers. */
  isScalable?: boolean
} | null

export type PublisherState =
  | 'off' // nothing to send
  | 'pending' // in progress
  | 'sending'
  | 'problem' // failed, and will be retried

/** A track as the server has it, on one endpoint. */
interface Published {
  endpoint: Endpoint
  producer: Producer
  track: MediaStreamTrack
  paused: boolean
  isScalable: boolean
}

const RETRY = { firstMs: 1_000, maxMs: 10_000, jitter: 0.5 }
/** No event reports that a camera has changed its size, as when a phone is turned. */
const SIZE_POLL_MS = 1_000
/**
 * A receiver whose packets end continues with the last sound for some 300 ms; so silence, which muted tracks send,
 * comes first.
 */
const SILENCE_MS = 120

export interface PublisherOptions {
  media: Pick<MediaConnection, 'get' | 'renew' | 'subscribe'>
  session: Pick<CurrentSession, 'publications' | 'subscribe'>
  source: MediaSource
  /** A moderator has paused the publication, and the event for it was missed. */
  onMuted(): void
}

/** Reconciles one local track with the server, step by step, on the endpoint that is open. */
export class Publisher extends Observable<PublisherState> {
  readonly #options: PublisherOptions
  #desired: DesiredTrack = null
  #published: Published | null = null
  #publicationId = randomId()
  /** The participant that the publication id belongs to. */
  #participant: ParticipantRef | null = null
  /** The last paused state that both sides agreed on. */
  #wasPaused = true
  #isReconciling = false
  #failures = 0
  #closed = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: PublisherOptions, lifetime: Lifetime) {
    super('off')
    this.#options = options
    lifetime.defer(() => {
      this.#closed = true
      clearTimeout(this.#timer)
    })
    lifetime.defer(options.media.subscribe(() => this.#onEndpoint()))
    lifetime.defer(options.session.subscribe(() => this.#onSession()))
    if (options.source === 'camera') {
      const sizes = setInterval(() => this.get() === 'sending' && void this.#reconcile(), SIZE_POLL_MS)
      lifetime.defer(() => clearInterval(sizes))
    }
  }

  setDesired(desired: DesiredTrack): void {
    this.#desired = desired
    void this.#reconcile()
  }

  /** The id of the track to publish; null: none. */
  get trackId(): string | null {
    return this.#desired?.track.id ?? null
  }

  /** Failures on one endpoint do not count on the next. */
  #onEndpoint(): void {
    this.#failures = 0
    void this.#reconcile()
  }

  async #reconcile(): Promise<void> {
    if (this.#isReconciling) return
    this.#isReconciling = true
    clearTimeout(this.#timer)
    for (let step = this.#nextStep(); step; step = this.#nextStep()) {
      this.set(this.#failures > 0 ? 'problem' : 'pending')
      const before = this.#endpoint
      try {
        await step()
        this.#failures = 0
      } catch (error) {
        if (before && error instanceof OfferRefused && error.reason === 'gone')
          this.#options.media.renew(before)
        // The next endpoint takes over from a closed one.
        if (this.#endpoint === before) return this.#scheduleRetry()
        this.#failures = 0
      }
    }
    this.#isReconciling = false
    this.set(this.#idleState())
  }

  #scheduleRetry(): void {
    this.#isReconciling = false
    if (this.#closed) return
    const delayMs = backoffMs(this.#failures++, RETRY)
    this.#timer = setTimeout(() => void this.#reconcile(), delayMs)
    this.set('problem')
  }

  /** Null: nothing to do. */
  #nextStep(): (() => Promise<unknown>) | null {
    const endpoint = this.#endpoint
    const desired = this.#desired
    if (this.#published?.endpoint !== endpoint) this.#published = null
    const published = this.#published
    if (!endpoint) return null
    if (!published) {
      const canStart = desired?.track.readyState === 'live'
      return canStart ? () => this.#publish(endpoint, desired) : null
    }
    if (!desired) return () => this.#unpublish(published)
    const isLive = desired.track.readyState === 'live'
    const isSuitable =
      published.producer.supports(desired.track) && published.isScalable === !!desired.isScalable
    if (isLive && !isSuitable) return () => this.#republish(published, desired)
    if (desired.track !== published.track) return () => this.#replace(published, desired.track)
    if (desired.paused !== published.paused) return () => this.#setPaused(published, desired.paused)
    return null
  }

  async #publish(
    endpoint: Endpoint,
    { track, paused, isScalable = false }: NonNullable<DesiredTrack>,
  ): Promise<void> {
    // A publication id belongs to one participant; a new connection is another participant.
    if (this.#participant !== endpoint.participant) this.#renewId()
    this.#participant = endpoint.participant
    const publicationId = this.#publicationId
    const { source } = this.#options
    const producer = await endpoint.publish({ publicationId, source, track, paused, isScalable })
    const isPaused = paused || this.#isPausedOnServer()
    if (isPaused) await producer.setSending(false)
    this.#published = { endpoint, producer, track, paused: isPaused, isScalable }
    // A publication that was active and is now paused was muted meanwhile, which must not be undone.
    if (isPaused && !paused && !this.#wasPaused) this.#options.onMuted()
    this.#wasPaused = isPaused
  }

  /** A mute that a snapshot reported. While a step is in progress, the session lags behind. */
  #onSession(): void {
    const published = this.#published
    if (this.#isReconciling || !published || published.paused || !this.#isPausedOnServer()) return
    published.paused = true
    this.#wasPaused = true
    this.#options.onMuted()
  }

  /** The server keeps the paused state of a publication from endpoint to endpoint. */
  #isPausedOnServer(): boolean {
    const { publications } = this.#options.session
    return publications.some(each => each.publication_id === this.#publicationId && each.paused)
  }

  #renewId(): void {
    this.#publicationId = randomId()
    this.#wasPaused = true
  }

  async #unpublish({ endpoint, producer }: Published): Promise<void> {
    this.#published = null
    producer.close()
    const publicationId = this.#publicationId
    // The next publication has another id: late events of this one cannot refer to it.
    this.#renewId()
    await endpoint.unpublish(publicationId)
  }

  /** The same publication in another codec or with other encodings, which an existing producer cannot renegotiate. */
  #republish({ endpoint, producer }: Published, desired: NonNullable<DesiredTrack>): Promise<void> {
    this.#published = null
    producer.close()
    return this.#publish(endpoint, desired)
  }

  async #replace(published: Published, track: MediaStreamTrack): Promise<void> {
    await published.producer.replaceTrack(track)
    published.track = track
  }

  async #setPaused(published: Published, paused: boolean): Promise<void> {
    if (paused && this.#options.source === 'microphone') await sleep(SILENCE_MS)
    await published.endpoint.setPaused(this.#publicationId, paused)
    await published.producer.setSending(!paused)
    published.paused = paused
    this.#wasPaused = paused
  }

  get #endpoint(): Endpoint | null {
    const state = this.#options.media.get()
    return state.is === 'open' ? state.endpoint : null
  }

  /** A track that has ended is not pending. */
  #idleState(): PublisherState {
    if (this.#published) return this.#desired ? 'sending' : 'off'
    return this.#desired?.track.readyState === 'live' ? 'pending' : 'off'
  }
}
