import {
  type CommandData,
  type ControlEvent,
  type EventBody,
  sessionStream,
} from '@lectern/protocol/control/client'
import { Observable } from '../observable.ts'
import type { Lifetime } from './lifetime.ts'
import { type OverReason, whyEnded, whyRefused } from './over.ts'
import type { Control, Place } from './ports.ts'

export type MembershipState =
  | { is: 'joining' }
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
    this.set({ is: 'joining' })
    const answer = await this.#ask().catch((error: unknown) => ({ refused: whyRefused(error) }))
    // Another start has asked again meanwhile; this answer is of a connection that is no more.
    if (turn !== this.#turn || this.get().is === 'over') return
    if (!('refused' in answer)) {
      const { conference_session_id: sessionId, participant_id: participantId } = answer
      this.set({ is: 'inside', place: { sessionId, participantId } })
    } else if (answer.refused) this.end(answer.refused)
    else this.#timer = setTimeout(() => void this.#join(), JOIN_AGAIN_MS)
  }

  #ask(): Promise<CommandData<'conference.join'>> {
    const { tag, displayName } = this.#entrance
    const body = displayName === undefined ? {} : { display_name: displayName }
    return this.#control.command('conference.join', { kind: 'conference', id: tag }, body)
  }

  #look(): void {
    const state = this.#control.state.get()
    if (state.is === 'ended') this.end(whyEnded(state.reason))
  }

  #hear({ name, stream_id, body }: ControlEvent): void {
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
