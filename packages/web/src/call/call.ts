import type { ConnectionState, SessionView } from '@lectern/control-client'
import type { ControlEvent, ParticipantView } from '@lectern/protocol/control/client'
import { Observable } from '../observable.ts'
import { Actions } from './actions.ts'
import { Chat } from './chat.ts'
import { CurrentSession } from './current-session.ts'
import { Lifetime } from './lifetime.ts'
import type { EndpointParts } from './media/endpoint.ts'
import { Layers } from './media/layers.ts'
import { OwnMedia, type OwnMediaParts } from './media/own-media.ts'
import { MediaPlane } from './media/plane.ts'
import { Remote } from './media/remote.ts'
import { type Entrance, Membership } from './membership.ts'
import { asMuted, mutesMe } from './muting.ts'
import type { OverReason } from './over.ts'
import { Qualities } from './qualities.ts'
import { Speakers } from './speakers.ts'
import { Transcript } from './transcript.ts'
import { Typing } from './typing.ts'

/** For the banner. `until` is when the next try begins, if that is known. */
export type LinkState = { is: 'connected' } | { is: 'reconnecting'; since: number; until: number | null }

export type CallState =
  | { is: 'joining'; link: LinkState }
  | { is: 'inside'; me: ParticipantView; session: SessionView; link: LinkState }
  | { is: 'over'; reason: OverReason }

export interface CallParts extends EndpointParts, Entrance, OwnMediaParts {}

/** One visit to a conference: what the room shows, and what people do there. Whoever makes it leaves it. */
export class Call extends Observable<CallState> {
  readonly actions: Actions
  readonly chat: Chat
  readonly typing: Typing
  readonly transcript: Transcript
  readonly speakers: Speakers
  readonly qualities: Qualities
  /** What this participant sends, and what a moderator has turned off of it. */
  readonly own: OwnMedia
  /** What the others send. */
  readonly remote: Remote
  readonly layers: Layers
  /** Whether media flows at all. */
  readonly plane: MediaPlane
  readonly #control: CallParts['control']
  readonly #life = new Lifetime()
  readonly #membership: Membership
  readonly #session: CurrentSession
  #lostSince: number | null = null

  constructor(parts: CallParts) {
    super({ is: 'joining', link: { is: 'connected' } })
    const { control } = parts
    this.#control = control
    const life = this.#life
    const membership = new Membership(control, parts, life)
    const session = new CurrentSession(control, membership, life)
    this.#membership = membership
    this.#session = session
    this.plane = new MediaPlane(parts, membership, session, life)
    this.own = new OwnMedia(this.plane, session, parts, life)
    this.remote = new Remote(this.plane, session, membership, life)
    this.layers = new Layers(control, this.plane, membership, life)
    this.actions = new Actions(control, membership, parts)
    this.chat = new Chat(control, membership, session, life)
    this.typing = new Typing(control, membership, session, life)
    this.transcript = new Transcript(control, membership, session, life)
    this.speakers = new Speakers(control, life)
    this.qualities = new Qualities(control, life)
    const update = () => this.#update()
    for (const each of [membership, session, control.state]) life.own(each.subscribe(update))
    life.own(control.onEvent(event => this.#hear(event)))
  }

  readonly open = (): void => this.#control.open()

  /** The server takes the closing for goodbye: nobody sees a ghost. */
  readonly leave = (): void => this.#membership.end('left')

  /** The network is back, or is another one. */
  readonly networkChanged = (): void => {
    this.#control.online()
    this.plane.networkChanged()
  }

  /** The page, or the machine, was asleep. */
  readonly wake = (): void => this.#control.wake()

  #update(): void {
    const before = this.get()
    if (before.is === 'over') return
    const membership = this.#membership.get()
    if (membership.is === 'over') {
      this.#end(membership.reason)
      return
    }
    const session = this.#session.get()
    const id = membership.is === 'inside' ? membership.place.participantId : null
    const me = session?.participants.find(each => each.participant_id === id)
    const present = me !== undefined && this.#session.isPresent
    const link = this.#link(present)
    // A new beginning keeps the old picture until the new one is there.
    if (session && me) this.set({ is: 'inside', me, session, link })
    else this.set({ ...before, link })
  }

  #link(present: boolean): LinkState {
    const state = this.#control.state.get()
    if (present && state.is === 'ready') this.#lostSince = null
    else if (this.get().is === 'inside' || isTrouble(state)) this.#lostSince ??= Date.now()
    if (this.#lostSince === null) return { is: 'connected' }
    const until = state.is === 'waiting' ? state.until : null
    return { is: 'reconnecting', since: this.#lostSince, until }
  }

  #end(reason: OverReason): void {
    this.set({ is: 'over', reason })
    this.#life.close()
    this.#control.close()
  }

  #hear(event: ControlEvent): void {
    const state = this.get()
    const muted = asMuted(event)
    if (muted && state.is === 'inside' && mutesMe(muted, state.me, state.session.participants))
      this.own.mute(muted.source, muted.by_participant_id)
  }
}

/** The first way in has its own words; a try that failed is trouble. */
const isTrouble = (state: ConnectionState) =>
  state.is === 'waiting' || ((state.is === 'connecting' || state.is === 'logging-in') && state.attempt > 0)
