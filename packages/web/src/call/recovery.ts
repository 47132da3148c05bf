import type { ConnectionState, Readable } from '@lectern/control-client'
import { Observable } from '../observable.ts'
import type { CurrentSession } from './current-session.ts'
import type { Lifetime } from './lifetime.ts'
import { carriesMedia, type MediaConnection } from './media/media-connection.ts'
import type { OutgoingState } from './media/outgoing.ts'
import type { RemoteMedia } from './media/remote.ts'
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
}

/**
 * What others send may never come back: somebody left meanwhile, or sends what this browser cannot decode. The rest
 * being back, it is waited for as long as this.
 */
const OTHERS_WITHIN_MS = 8_000

/**
 * The one place that knows how far the call has recovered from a loss of any length. A recovery begins with a fault
 * and ends only when everything is there: control channel, session, own publications, and what others send. What
 * goes wrong in between prolongs it, so that whoever shows it never flickers.
 */
export class Recovery extends Observable<RecoveryState> {
  readonly #parts: RecoveryParts
  #wasInside = false
  /** Who was in the session before the loss, by account, and where this participant was. */
  #before: { place: Place | null; userIds: ReadonlySet<string> } = { place: null, userIds: new Set() }
  #timer: ReturnType<typeof setTimeout> | undefined
  #waitsForOthers = true

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
    if (this.get().is === 'connected') this.#before = { place: this.#place, userIds: this.#userIds }
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
    if (!isOwnBack) return false
    if (this.#areOthersBack() || !this.#waitsForOthers) return true
    this.#timer ??= setTimeout(() => {
      this.#waitsForOthers = false
      this.#update()
    }, OTHERS_WITHIN_MS)
    return false
  }

  /** Whoever had to join again was not alone in that: a server that restarted has lost everybody. */
  #areOthersBack(): boolean {
    const { place, userIds } = this.#before
    const inside = this.#userIds
    if (place !== this.#place && [...userIds].some(userId => !inside.has(userId))) return false
    const tracks = [...this.#parts.remote.get().values()].flatMap(sources => Object.values(sources))
    return tracks.every(({ track, paused }) => track !== null || paused)
  }

  get #place(): Place | null {
    const state = this.#parts.membership.get()
    return state.is === 'inside' ? state.place : null
  }

  get #userIds(): ReadonlySet<string> {
    return new Set(this.#parts.session.get()?.participants.map(each => each.user_id))
  }

  #become(state: RecoveryState): void {
    const before = this.get()
    if (state.is === before.is) return
    if (state.is === 'connected' || state.is === 'reconnecting') {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#waitsForOthers = true
    }
    this.set(state)
  }
}

const isRetry = (state: ConnectionState) =>
  state.is === 'waiting' || ((state.is === 'connecting' || state.is === 'logging-in') && state.attempt > 0)
