import { backoffMs } from '@lectern/common'
import type { MediaSource } from '@lectern/protocol/control/client'
import { Observable } from '../../observable.ts'
import type { CurrentSession } from '../current-session.ts'
import type { Lifetime } from '../lifetime.ts'
import { newId } from '../new-id.ts'
import type { Place, Sender } from '../ports.ts'
import type { Endpoint } from './endpoint.ts'
import type { MediaConnection } from './media-connection.ts'
import { OfferRefused } from './offers.ts'

/** What the one who publishes wants; null: nothing. */
export type Wanted = { track: MediaStreamTrack; paused: boolean } | null

export type OutgoingState =
  | 'off' // nothing to send
  | 'pending' // wanted, and on its way
  | 'sending'
  | 'trouble' // wanted, but it does not work yet; it is tried again

/** What the server has of it, on one endpoint. */
interface Actual {
  endpoint: Endpoint
  sender: Sender
  track: MediaStreamTrack
  paused: boolean
}

const AGAIN_FIRST_MS = 1_000
const AGAIN_MOST_MS = 10_000
/** No event says that a camera changes its size: a phone was turned, or the browser gives less. */
const SIZE_EVERY_MS = 1_000

export interface OutgoingParts {
  media: Pick<MediaConnection, 'get' | 'renew' | 'subscribe'>
  session: Pick<CurrentSession, 'publications' | 'subscribe'>
  source: MediaSource
  /** A moderator has paused it while nobody here could hear of that. */
  muted(): void
}

/** One own track: brings what the server has to what is wanted, step by step, on whatever endpoint there is. */
export class Outgoing extends Observable<OutgoingState> {
  readonly #parts: OutgoingParts
  #wanted: Wanted = null
  #actual: Actual | null = null
  #publicationId = newId()
  /** The place that the id belongs to. */
  #place: Place | null = null
  /** As both sides had it last. */
  #wasPaused = true
  #working = false
  #failures = 0
  #closed = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: OutgoingParts, life: Lifetime) {
    super('off')
    this.#parts = parts
    life.own(() => {
      this.#closed = true
      clearTimeout(this.#timer)
    })
    life.own(parts.media.subscribe(() => this.#onEndpoint()))
    life.own(parts.session.subscribe(() => this.#notice()))
    if (parts.source === 'camera') {
      const sizes = setInterval(() => this.get() === 'sending' && void this.#work(), SIZE_EVERY_MS)
      life.own(() => clearInterval(sizes))
    }
  }

  want(wanted: Wanted): void {
    this.#wanted = wanted
    void this.#work()
  }

  /** What failed on an endpoint says nothing about the next one. */
  #onEndpoint(): void {
    this.#failures = 0
    void this.#work()
  }

  async #work(): Promise<void> {
    if (this.#working) return
    this.#working = true
    clearTimeout(this.#timer)
    for (let step = this.#nextStep(); step; step = this.#nextStep()) {
      this.set(this.#failures > 0 ? 'trouble' : 'pending')
      const before = this.#endpoint
      try {
        await step()
        this.#failures = 0
      } catch (error) {
        if (before && error instanceof OfferRefused && error.reason === 'gone')
          this.#parts.media.renew(before)
        // What an endpoint that is closed could not do is for the next one.
        if (this.#endpoint === before) return this.#later()
        this.#failures = 0
      }
    }
    this.#working = false
    this.set(this.#restingState())
  }

  #later(): void {
    this.#working = false
    if (this.#closed) return
    const delayMs = backoffMs(this.#failures++, { firstMs: AGAIN_FIRST_MS, maxMs: AGAIN_MOST_MS })
    this.#timer = setTimeout(() => void this.#work(), delayMs)
    this.set('trouble')
  }

  /** Nothing to do is null. */
  #nextStep(): (() => Promise<unknown>) | null {
    const endpoint = this.#endpoint
    const wanted = this.#wanted
    if (this.#actual?.endpoint !== endpoint) this.#actual = null
    const actual = this.#actual
    if (!endpoint) return null
    if (!actual) {
      const canBegin = wanted?.track.readyState === 'live'
      return canBegin ? () => this.#publish(endpoint, wanted) : null
    }
    if (!wanted) return () => this.#unpublish(actual)
    const isLive = wanted.track.readyState === 'live'
    if (isLive && !actual.sender.fits(wanted.track)) return () => this.#republish(actual, wanted)
    if (wanted.track !== actual.track) return () => this.#replace(actual, wanted.track)
    if (wanted.paused !== actual.paused) return () => this.#setPaused(actual, wanted.paused)
    return null
  }

  async #publish(endpoint: Endpoint, { track, paused }: NonNullable<Wanted>): Promise<void> {
    // An id belongs to one participant; on another connection this is another participant.
    if (this.#place !== endpoint.place) this.#renewId()
    this.#place = endpoint.place
    const publicationId = this.#publicationId
    const sender = await endpoint.publish({ publicationId, source: this.#parts.source, track, paused })
    const isPaused = paused || this.#isPausedForAll()
    this.#actual = { endpoint, sender, track, paused: isPaused }
    // What was on and is paused now was muted in between, which must not be undone here.
    if (isPaused && !paused && !this.#wasPaused) this.#parts.muted()
    this.#wasPaused = isPaused
  }

  /** A mute that came with a snapshot. While something is under way the session is behind it. */
  #notice(): void {
    const actual = this.#actual
    if (this.#working || !actual || actual.paused || !this.#isPausedForAll()) return
    actual.paused = true
    this.#wasPaused = true
    this.#parts.muted()
  }

  /** The server keeps a publication from endpoint to endpoint, as paused as it was. */
  #isPausedForAll(): boolean {
    const { publications } = this.#parts.session
    return publications.some(each => each.publication_id === this.#publicationId && each.paused)
  }

  #renewId(): void {
    this.#publicationId = newId()
    this.#wasPaused = true
  }

  async #unpublish({ endpoint, sender }: Actual): Promise<void> {
    this.#actual = null
    sender.close()
    const publicationId = this.#publicationId
    // The next time it is another publication: nobody mistakes late news of this one for it.
    this.#renewId()
    await endpoint.unpublish(publicationId)
  }

  /** The same publication in other encodings, which cannot be negotiated for a sender that is there already. */
  #republish({ endpoint, sender }: Actual, wanted: NonNullable<Wanted>): Promise<void> {
    this.#actual = null
    sender.close()
    return this.#publish(endpoint, wanted)
  }

  async #replace(actual: Actual, track: MediaStreamTrack): Promise<void> {
    await actual.sender.replaceTrack(track)
    actual.track = track
  }

  async #setPaused(actual: Actual, paused: boolean): Promise<void> {
    await actual.endpoint.setPaused(this.#publicationId, paused)
    actual.paused = paused
    this.#wasPaused = paused
  }

  get #endpoint(): Endpoint | null {
    const state = this.#parts.media.get()
    return state.is === 'open' ? state.endpoint : null
  }

  /** A track that has ended is not on its way. */
  #restingState(): OutgoingState {
    if (this.#actual) return this.#wanted ? 'sending' : 'off'
    return this.#wanted?.track.readyState === 'live' ? 'pending' : 'off'
  }
}
