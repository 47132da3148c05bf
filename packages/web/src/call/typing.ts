import type { IncomingSignal } from '@lectern/control-client'
import { type EventBody, sessionStream } from '@lectern/protocol/control/client'
import { Observable } from '../observable.ts'
import type { CurrentSession } from './current-session.ts'
import type { Lifetime } from './lifetime.ts'
import type { Membership } from './membership.ts'
import type { Control } from './ports.ts'

const TELL_EVERY_MS = 3_000
const GOOD_FOR_MS = 5_000

/** The participants who are writing. */
export class Typing extends Observable<readonly string[]> {
  readonly #control: Control
  readonly #membership: Membership
  readonly #session: CurrentSession
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(control: Control, membership: Membership, session: CurrentSession, life: Lifetime) {
    super([])
    this.#control = control
    this.#membership = membership
    this.#session = session
    life.own(control.onSignal(signal => this.#hear(signal)))
    life.own(
      control.onEvent(({ name, body }) => {
        if (name === 'chat.message') this.#said(body as EventBody<'chat.message'>)
      }),
    )
    life.own(() => {
      for (const timer of this.#timers.values()) clearTimeout(timer)
    })
  }

  /** To be called at every key; tells the others now and then. */
  readonly tell = (): void => {
    const state = this.#membership.get()
    if (state.is !== 'inside' || Date.now() - this.#toldAt < TELL_EVERY_MS) return
    this.#toldAt = Date.now()
    const { sessionId, participantId } = state.place
    this.#control.sendSignal({
      streamId: sessionStream(sessionId),
      sourceId: participantId,
      name: 'chat.typing',
      body: {},
      ttlMs: GOOD_FOR_MS,
    })
  }

  /** Who has said it writes no more. */
  #said({ message }: EventBody<'chat.message'>): void {
    const participants = this.#session.get()?.participants ?? []
    for (const { user_id, participant_id } of participants)
      if (user_id === message.user_id) this.#stopped(participant_id)
  }

  #stopped(participantId: string): void {
    clearTimeout(this.#timers.get(participantId))
    if (this.#timers.delete(participantId)) this.set([...this.#timers.keys()])
  }

  #hear({ name, sourceId, ttlMs }: IncomingSignal): void {
    const state = this.#membership.get()
    const own = state.is === 'inside' && state.place.participantId === sourceId
    if (name !== 'chat.typing' || own) return
    const known = this.#timers.has(sourceId)
    clearTimeout(this.#timers.get(sourceId))
    this.#timers.set(
      sourceId,
      setTimeout(() => this.#stopped(sourceId), ttlMs),
    )
    if (!known) this.set([...this.#timers.keys()])
  }
}
