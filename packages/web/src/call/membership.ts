import {
  type ControlEvent,
  type EventBody,
  type LobbyStatus,
  sessionStream,
  type Target,
  type WaitReason,
} from '@lectern/protocol/control/client'
import { Observable } from '../observable.ts'
import type { Lifetime } from './lifetime.ts'
import { type OverReason, whyEnded, whyRefused, whyWait } from './over.ts'
import type { Control, Place } from './ports.ts'

export type MembershipState =
  | { is: 'joining' }
  /** Until a moderator acts; the place in the queue is the server's to know. */
  | { is: 'waiting'; reason: WaitReason }
  | { is: 'inside'; place: Place }
  | { is: 'over'; reason: OverReason }

export interface Entrance {
  /** The conference's tag. */
  tag: string
  /** Absent: the name of the link, else of the account. */
  displayName?: string
}

const JOIN_AGAIN_MS = 2_000

/** Being in the conference: joins whenever the connection is new to the server, until something ends that. */
export class Membership extends Observable<MembershipState> {
  readonly #control: Control
  readonly #entrance: Entrance
  #turn = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(control: Control, entrance: Entrance, life: Lifetime) {
    super({ is: 'joining' })
    this.#control = control
    this.#entrance = entrance
    life.own(() => clearTimeout(this.#timer))
    life.own(control.onStart(() => void this.#join()))
    life.own(control.onEvent(event => this.#hear(event)))
    // What a snapshot of the account's stream replaces may hold an answer to the wait.
    life.own(control.onSnapshot(({ streamId }) => this.#askAgain(streamId)))
    life.own(control.state.subscribe(() => this.#look()))
  }

  end(reason: OverReason): void {
    clearTimeout(this.#timer)
    if (this.get().is !== 'over') this.set({ is: 'over', reason })
  }

  async #join(): Promise<void> {
    if (this.get().is === 'over') return
    clearTimeout(this.#timer)
    const turn = ++this.#turn
    // Whoever waits goes on waiting until there is an answer.
    if (this.get().is !== 'waiting') this.set({ is: 'joining' })
    const next = await this.#ask().catch((error: unknown) => this.#refused(error))
    // Another start has asked again meanwhile; this answer is of a connection that is no more.
    if (turn !== this.#turn || this.get().is === 'over') return
    if (next === null) this.#timer = setTimeout(() => void this.#join(), JOIN_AGAIN_MS)
    else this.set(next)
  }

  async #ask(): Promise<MembershipState> {
    const answer = await this.#control.command('conference.join', this.#conference, this.#body)
    const { conference_session_id: sessionId, participant_id: participantId } = answer
    return { is: 'inside', place: { sessionId, participantId } }
  }

  /** Null: worth another try a little later. */
  async #refused(error: unknown): Promise<MembershipState | null> {
    const reason = whyWait(error)
    if (reason !== null) return this.#wait(reason).catch((refusal: unknown) => this.#refused(refusal))
    const over = whyRefused(error)
    return over && { is: 'over', reason: over }
  }

  async #wait(reason: WaitReason): Promise<MembershipState | null> {
    const answer = await this.#control.command('lobby.enter', this.#conference, this.#body)
    return answer.status === 'admitted' ? null : { is: 'waiting', reason: answer.reason ?? reason }
  }

  get #conference(): Target {
    return { kind: 'conference', id: this.#entrance.tag }
  }

  get #body() {
    const { displayName } = this.#entrance
    return displayName === undefined ? {} : { display_name: displayName }
  }

  #askAgain(streamId: string): void {
    if (this.get().is === 'waiting' && streamId.startsWith('account:')) void this.#join()
  }

  /** The server has decided about the wait of this account. */
  #waitChanged({ conference_tag, status, reason = 'approval' }: LobbyStatus): void {
    if (conference_tag !== this.#entrance.tag || this.get().is === 'inside') return
    if (status === 'admitted') void this.#join()
    else if (this.get().is !== 'waiting') return
    else if (status === 'waiting') this.set({ is: 'waiting', reason })
    else this.end(status)
  }

  #look(): void {
    const state = this.#control.state.get()
    if (state.is === 'ended') this.end(whyEnded(state.reason))
  }

  #hear({ name, stream_id, body }: ControlEvent): void {
    if (name === 'lobby.status') this.#waitChanged(body as LobbyStatus)
    const state = this.get()
    if (state.is !== 'inside' || stream_id !== sessionStream(state.place.sessionId)) return
    if (name === 'session.ended') this.#sessionEnded(body as EventBody<'session.ended'>)
    if (name === 'participant.left') this.#gone(body as EventBody<'participant.left'>, state.place)
  }

  /** A session that was given up for want of people, us included, makes room for another one. */
  #sessionEnded({ reason }: EventBody<'session.ended'>): void {
    if (reason === 'empty') void this.#join()
    else this.end(reason)
  }

  #gone({ participant_id, reason }: EventBody<'participant.left'>, place: Place): void {
    if (participant_id !== place.participantId) return
    if (reason === 'lost') void this.#join()
    else this.end(reason)
  }
}
