import type { ConnectionState, Readable } from '@lectern/control-client'
import { Observable } from '../observable.ts'
import type { CurrentSession } from './current-session.ts'
import type { Lifetime } from './lifetime.ts'
import { carriesMedia, type MediaConnection } from './media/media-connection.ts'
import type { OutgoingState } from './media/outgoing.ts'
import type { RemoteMedia, RemoteTrack } from './media/remote.ts'
import type { Subscription } from './media/subscriptions.ts'
import type { Membership } from './membership.ts'
import type { Place } from './ports.ts'

/** What keeps this participant from the others, from the first loss until all of it is back. */
export type RecoveryState =
  | { is: 'connected' }
  | { is: 'reconnecting'; sinceMs: number } // the control channel, or the place in the session
  | { is: 'restoring-media'; sinceMs: number } // what is sent or received is not all there again
  | { is: 'media-unavailable' } // this browser or this server has no media

export interface RecoveryParts {
  control: Readable<ConnectionState>
  membership: Membership
  session: CurrentSession
  media: MediaConnection
  /** What this participant publishes. */
  published: readonly Readable<OutgoingState>[]
  remote: Readable<RemoteMedia>
  /** Whether frames of a publication are to come at all. */
  isShown(publicationId: string): boolean
}

/**
 * What others send may never come back: somebody left meanwhile, or sends what this browser cannot decode. The rest
 * being back, it is waited for as long as this.
 */
const OTHERS_WITHIN_MS = 8_000
/** Nobody reports a decoded frame. */
const CHECK_FRAMES_EVERY_MS = 100

/**
 * The one place that knows how far the call has recovered from a loss of any length. A recovery begins with a fault
 * and ends only when everything is there: control channel, session, own publications, and what others send. What
 * goes wrong in between prolongs it, so that whoever shows it never flickers.
 */
export class Recovery extends Observable<RecoveryState> {
  readonly #parts: RecoveryParts
  #wasInside = false
  /** Who was in the session before the loss, what they sent, and where this participant was. */
  #before: { place: Place | null; present: ReadonlySet<string> } = { place: null, present: new Set() }
  /** Since when all is back but what others send, and the newest frame of each subscription then. */
  #waiting: { sinceMs: number; frames: ReadonlyMap<Subscription, number> } | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: RecoveryParts, life: Lifetime) {
    super({ is: 'connected' })
    this.#parts = parts
    const { control, membership, session, media, published, remote } = parts
    const sources = [control, membership, session, media, media.transport, remote, ...published]
    for (const each of sources) life.own(each.subscribe(() => this.#update()))
    life.own(() => clearTimeout(this.#timer))
  }

  #update(): void {
    if (this.#parts.membership.get().is === 'over') return
    this.#wasInside ||= this.#isInside()
    this.#become(this.#next())
    if (this.get().is === 'connected') this.#before = { place: this.#place, present: this.#present }
  }

  #next(): RecoveryState {
    const before = this.get()
    const sinceMs = 'sinceMs' in before ? before.sinceMs : Date.now()
    if (!this.#isInside()) return this.#isEntering() ? before : { is: 'reconnecting', sinceMs }
    if (this.#parts.media.get().is === 'unavailable') return { is: 'media-unavailable' }
    if (before.is === 'connected' && !this.#hasMediaFault()) return before
    return this.#isRestored() ? { is: 'connected' } : { is: 'restoring-media', sinceMs }
  }

  /** The first way in has its own words; only a try that failed is a loss. */
  #isEntering(): boolean {
    return !this.#wasInside && this.get().is === 'connected' && !isRetry(this.#parts.control.get())
  }

  #isInside(): boolean {
    const { control, session } = this.#parts
    const id = this.#place?.participantId
    if (control.get().is !== 'ready' || !session.isPresent) return false
    return session.get()?.participants.some(each => each.participant_id === id) ?? false
  }

  /** The first opening is part of coming in. */
  #hasMediaFault(): boolean {
    const { media } = this.#parts
    return media.get().is === 'waiting' || !carriesMedia(media.transport.get())
  }

  #isRestored(): boolean {
    const { media, published } = this.#parts
    const transport = media.transport.get()
    const isOwnBack =
      media.get().is === 'open' &&
      (transport === 'connected' || transport === 'new') &&
      published.every(each => each.get() === 'sending' || each.get() === 'off')
    if (!isOwnBack) {
      this.#waiting = null
      return false
    }
    this.#waiting ??= { sinceMs: Date.now(), frames: this.#newestFrames() }
    if (this.#areOthersBack() || Date.now() - this.#waiting.sinceMs >= OTHERS_WITHIN_MS) return true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#update(), CHECK_FRAMES_EVERY_MS)
    return false
  }

  /** Whoever had to join again was not alone in that: a server that restarted has lost everybody. */
  #areOthersBack(): boolean {
    const { place, present } = this.#before
    const now = this.#present
    if (place !== this.#place && [...present].some(each => !now.has(each))) return false
    const tracks = [...this.#parts.remote.get().values()].flatMap(sources => Object.values(sources))
    return tracks.every(track => track.paused || this.#isReceived(track))
  }

  /** Sound arrives with its transport; a picture begins with a keyframe, which takes a while. */
  #isReceived({ publicationId, source, track }: RemoteTrack): boolean {
    if (track === null) return false
    const isPicture = source === 'camera' || source === 'screen'
    const subscription = this.#subscriptions.get(publicationId)
    if (!isPicture || !subscription || !this.#parts.isShown(publicationId)) return true
    return subscription.newestFrame() > (this.#waiting?.frames.get(subscription) ?? 0)
  }

  #newestFrames(): ReadonlyMap<Subscription, number> {
    return new Map([...this.#subscriptions.values()].map(each => [each, each.newestFrame()]))
  }

  get #subscriptions(): ReadonlyMap<string, Subscription> {
    const media = this.#parts.media.get()
    return media.is === 'open' ? media.endpoint.subscriptions.get() : new Map()
  }

  get #place(): Place | null {
    const state = this.#parts.membership.get()
    return state.is === 'inside' ? state.place : null
  }

  /** People and the sources that they send, by account: ids of participants do not outlive a restart. */
  get #present(): ReadonlySet<string> {
    const { participants = [], publications = [] } = this.#parts.session.get() ?? {}
    const userOf = new Map(participants.map(each => [each.participant_id, each.user_id]))
    const sent = publications.map(each => `${userOf.get(each.participant_id)} ${each.source}`)
    return new Set([...userOf.values(), ...sent])
  }

  #become(state: RecoveryState): void {
    const before = this.get()
    if (state.is === before.is) return
    if (state.is === 'connected' || state.is === 'reconnecting') {
      clearTimeout(this.#timer)
      this.#waiting = null
    }
    this.set(state)
  }
}

const isRetry = (state: ConnectionState) =>
  state.is === 'waiting' || ((state.is === 'connecting' || state.is === 'logging-in') && state.attempt > 0)
