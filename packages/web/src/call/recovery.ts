import { type Lifetime, Observable } from '@lectern/common'
import type { ConnectionState, Readable } from '@lectern/control-client'
import type { CurrentSession } from './current-session.ts'
import { carriesMedia, type MediaConnection } from './media/media-connection.ts'
import type { PublisherState } from './media/publisher.ts'
import type { RemoteTrack, RemoteTracks } from './media/remote-media.ts'
import type { Subscription } from './media/subscriptions.ts'
import type { Membership } from './membership.ts'
import type { ParticipantRef } from './ports.ts'

/** State of the recovery, from the first fault until everything is restored. */
export type RecoveryState =
  | { is: 'connected' }
  // The control channel, or the membership in the session. The server may have said that it stops.
  | { is: 'reconnecting'; sinceMs: number; isByServer: boolean }
  | { is: 'restoring-media'; sinceMs: number } // not everything that is sent or received is back
  | { is: 'media-unavailable' } // the browser or the server does not support media

export interface RecoveryOptions {
  control: Readable<ConnectionState>
  membership: Membership
  session: CurrentSession
  media: MediaConnection
  /** The publishers of this participant. */
  published: readonly Readable<PublisherState>[]
  remote: Readable<RemoteTracks>
  /** Whether frames of a publication are expected. */
  isDisplayed(publicationId: string): boolean
}

/**
 * Remote media may never return: a participant has left, or sends what this browser cannot decode. When all
 * else is restored, recovery waits this long for it.
 */
const REMOTE_MEDIA_TIMEOUT_MS = 8_000
/** No event reports a decoded frame. */
const FRAME_POLL_MS = 100

/**
 * The only part that determines how far the call has recovered from a loss. A recovery starts with a fault and ends
 * only when everything is restored: control channel, session, own publications and remote media. Faults in
 * between prolong it, so that the display never flickers.
 */
export class Recovery extends Observable<RecoveryState> {
  readonly #options: RecoveryOptions
  #hasJoined = false
  /** The participant, and who was present and what they sent, before the fault. */
  #lastConnected: { participant: ParticipantRef | null; present: ReadonlySet<string> } = {
    participant: null,
    present: new Set(),
  }
  /** Since when only remote media is missing, and the last frame of each subscription at that time. */
  #awaitingRemote: { sinceMs: number; frames: ReadonlyMap<Subscription, number> } | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: RecoveryOptions, lifetime: Lifetime) {
    super({ is: 'connected' })
    this.#options = options
    const { control, membership, session, media, published, remote } = options
    const sources = [control, membership, session, media, media.transport, remote, ...published]
    for (const each of sources) lifetime.defer(each.subscribe(() => this.#update()))
    lifetime.defer(() => clearTimeout(this.#timer))
  }

  #update(): void {
    if (this.#options.membership.get().is === 'ended') return
    this.#hasJoined ||= this.#isJoined()
    this.#setState(this.#next())
    if (this.get().is === 'connected')
      this.#lastConnected = { participant: this.#participant, present: this.#presence }
  }

  #next(): RecoveryState {
    const before = this.get()
    const sinceMs = 'sinceMs' in before ? before.sinceMs : Date.now()
    if (this.#isInLobby()) return { is: 'connected' }
    if (!this.#isJoined()) {
      const isByServer = (before.is === 'reconnecting' && before.isByServer) || this.#isServerStopping()
      return this.#isJoining() ? before : { is: 'reconnecting', sinceMs, isByServer }
    }
    if (this.#options.media.get().is === 'unavailable') return { is: 'media-unavailable' }
    if (before.is === 'connected' && !this.#hasMediaFault()) return before
    return this.#isRestored() ? { is: 'connected' } : { is: 'restoring-media', sinceMs }
  }

  /** The first join has its own page; only a failed attempt is a fault. */
  #isJoining(): boolean {
    return !this.#hasJoined && this.get().is === 'connected' && !isRetry(this.#options.control.get())
  }

  /** The lobby has its own page; only a lost control channel is a fault. */
  #isInLobby(): boolean {
    const { control, membership } = this.#options
    return membership.get().is === 'waiting' && control.get().is === 'ready'
  }

  #isServerStopping(): boolean {
    const state = this.#options.control.get()
    return state.is === 'waiting' && state.reason === 'temporarily_unavailable'
  }

  #isJoined(): boolean {
    const { control, session } = this.#options
    const id = this.#participant?.participantId
    if (control.get().is !== 'ready' || !session.isCurrent) return false
    return session.get()?.participants.some(each => each.participant_id === id) ?? false
  }

  /** Opening media for the first time is part of joining. */
  #hasMediaFault(): boolean {
    const { media } = this.#options
    return media.get().is === 'waiting' || !carriesMedia(media.transport.get())
  }

  #isRestored(): boolean {
    const { media, published } = this.#options
    const transport = media.transport.get()
    const isLocalMediaBack =
      media.get().is === 'open' &&
      (transport === 'connected' || transport === 'new') &&
      published.every(each => each.get() === 'sending' || each.get() === 'off')
    if (!isLocalMediaBack) {
      this.#awaitingRemote = null
      return false
    }
    this.#awaitingRemote ??= { sinceMs: performance.now(), frames: this.#newestFrames() }
    if (
      this.#isRemoteMediaBack() ||
      performance.now() - this.#awaitingRemote.sinceMs >= REMOTE_MEDIA_TIMEOUT_MS
    )
      return true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#update(), FRAME_POLL_MS)
    return false
  }

  /** After a rejoin the other participants may be rejoining, too: a restarted server has lost all of them. */
  #isRemoteMediaBack(): boolean {
    const { participant, present } = this.#lastConnected
    const now = this.#presence
    if (participant !== this.#participant && [...present].some(each => !now.has(each))) return false
    const tracks = [...this.#options.remote.get().values()].flatMap(sources => Object.values(sources))
    return tracks.every(track => track.paused || this.#isReceived(track))
  }

  /** Audio arrives with its transport; video starts with a keyframe, which takes longer. */
  #isReceived({ publicationId, source, track }: RemoteTrack): boolean {
    if (track === null) return false
    const isVideo = source === 'camera' || source === 'screen'
    const subscription = this.#subscriptions.get(publicationId)
    if (!isVideo || !subscription || !this.#options.isDisplayed(publicationId)) return true
    return subscription.lastFrameTimestamp() > (this.#awaitingRemote?.frames.get(subscription) ?? 0)
  }

  #newestFrames(): ReadonlyMap<Subscription, number> {
    return new Map([...this.#subscriptions.values()].map(each => [each, each.lastFrameTimestamp()]))
  }

  get #subscriptions(): ReadonlyMap<string, Subscription> {
    const media = this.#options.media.get()
    return media.is === 'open' ? media.endpoint.subscriptions.get() : new Map()
  }

  get #participant(): ParticipantRef | null {
    const state = this.#options.membership.get()
    return state.is === 'joined' ? state.participant : null
  }

  /** By account: ids of participants do not survive a restart. */
  get #presence(): ReadonlySet<string> {
    const { participants = [], publications = [] } = this.#options.session.get() ?? {}
    const userOf = new Map(participants.map(each => [each.participant_id, each.user_id]))
    const sent = publications.map(each => `${userOf.get(each.participant_id)} ${each.source}`)
    return new Set([...userOf.values(), ...sent])
  }

  #setState(state: RecoveryState): void {
    const before = this.get()
    const isByServer = (state: RecoveryState) => state.is === 'reconnecting' && state.isByServer
    if (state.is === before.is && isByServer(state) === isByServer(before)) return
    if (state.is === 'connected' || state.is === 'reconnecting') {
      clearTimeout(this.#timer)
      this.#awaitingRemote = null
    }
    this.set(state)
  }
}

const isRetry = (state: ConnectionState) =>
  state.is === 'waiting' || ((state.is === 'connecting' || state.is === 'logging-in') && state.attempt > 0)
