import type { SessionView } from '@lectern/control-client'
import type { ControlEvent, ParticipantView, WaitReason } from '@lectern/protocol/control/client'
import { Observable } from '../observable.ts'
import { Actions } from './actions.ts'
import { Chat } from './chat.ts'
import { CurrentSession } from './current-session.ts'
import { Lifetime } from './lifetime.ts'
import type { EndpointParts } from './media/endpoint.ts'
import { Layers } from './media/layers.ts'
import { MediaConnection } from './media/media-connection.ts'
import { OwnMedia, type OwnMediaParts } from './media/own-media.ts'
import { Remote } from './media/remote.ts'
import { type Entrance, Membership } from './membership.ts'
import { asMuted, mutesMe } from './muting.ts'
import type { OverReason } from './over.ts'
import { Qualities } from './qualities.ts'
import { Recovery } from './recovery.ts'
import { Speakers } from './speakers.ts'
import { Transcript } from './transcript.ts'
import { Typing } from './typing.ts'

export type CallState =
  | { is: 'joining' }
  | { is: 'waiting'; reason: WaitReason }
  | { is: 'inside'; me: ParticipantView; session: SessionView }
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
  readonly media: MediaConnection
  /** What keeps this participant from the others right now. */
  readonly recovery: Recovery
  readonly #control: CallParts['control']
  readonly #life = new Lifetime()
  readonly #membership: Membership
  readonly #session: CurrentSession

  constructor(parts: CallParts) {
    super({ is: 'joining' })
    const { control } = parts
    this.#control = control
    const life = this.#life
    const membership = new Membership(control, parts, life)
    const session = new CurrentSession(control, membership, life)
    this.#membership = membership
    this.#session = session
    this.media = new MediaConnection(parts, membership, session, life)
    this.own = new OwnMedia(this.media, session, parts, life)
    this.remote = new Remote(this.media, session, membership, life)
    this.layers = new Layers(control, this.media, membership, life)
    this.recovery = new Recovery(
      {
        control: control.state,
        membership,
        session,
        media: this.media,
        published: Object.values(this.own.outgoing),
        remote: this.remote,
        isShown: this.layers.isShown,
      },
      life,
    )
    this.actions = new Actions(control, membership, parts)
    this.chat = new Chat(control, membership, session, life)
    this.typing = new Typing(control, membership, session, life)
    this.transcript = new Transcript(control, membership, session, life)
    this.speakers = new Speakers(control, life)
    this.qualities = new Qualities(control, life)
    const update = () => this.#update()
    for (const each of [membership, session]) life.own(each.subscribe(update))
    life.own(control.onEvent(event => this.#hear(event)))
  }

  readonly open = (): void => this.#control.open()

  /** The server takes the closing for goodbye: nobody sees a ghost. */
  readonly leave = (): void => this.#membership.end('left')

  /** The network is back, or is another one. */
  readonly networkChanged = (): void => {
    this.#control.online()
    this.media.networkChanged()
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
    if (membership.is === 'waiting') {
      this.set({ is: 'waiting', reason: membership.reason })
      return
    }
    const session = this.#session.get()
    const id = membership.is === 'inside' ? membership.place.participantId : null
    const me = session?.participants.find(each => each.participant_id === id)
    // A new beginning keeps the session of before until the new one is there.
    if (session && me) this.set({ is: 'inside', me, session })
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
