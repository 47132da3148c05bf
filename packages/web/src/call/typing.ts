import { type Lifetime, Observable } from '@lectern/common'
import type { IncomingSignal } from '@lectern/control-client'
import { type EventBody, sessionStream } from '@lectern/protocol/control/client'
import type { CurrentSession } from './current-session.ts'
import type { Membership } from './membership.ts'
import type { Control } from './ports.ts'

const NOTIFY_INTERVAL_MS = 3_000
const SIGNAL_TTL_MS = 5_000

/** The participants who are typing. */
export class Typing extends Observable<readonly string[]> {
  readonly #control: Control
  readonly #membership: Membership
  readonly #session: CurrentSession
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  #notifiedAt = Number.NEGATIVE_INFINITY

  constructor(control: Control, membership: Membership, session: CurrentSession, lifetime: Lifetime) {
    super([])
    this.#control = control
    this.#membership = membership
    this.#session = session
    lifetime.defer(control.onSignal(signal => this.#onSignal(signal)))
    lifetime.defer(
      control.onEvent(({ name, body }) => {
        if (name === 'chat.message') this.#onMessage(body as EventBody<'chat.message'>)
      }),
    )
    lifetime.defer(() => {
      for (const timer of this.#timers.values()) clearTimeout(timer)
    })
  }

  /** Call it on every key press; it notifies the others at intervals. */
  readonly notify = (): void => {
    const state = this.#membership.get()
    if (state.is !== 'joined' || performance.now() - this.#notifiedAt < NOTIFY_INTERVAL_MS) return
    this.#notifiedAt = performance.now()
    const { sessionId, participantId } = state.participant
    this.#control.sendSignal({
      streamId: sessionStream(sessionId),
      sourceId: participantId,
      name: 'chat.typing',
      body: {},
      ttlMs: SIGNAL_TTL_MS,
    })
  }

  /** The sender of a message has stopped typing. */
  #onMessage({ message }: EventBody<'chat.message'>): void {
    const participants = this.#session.get()?.participants ?? []
    for (const { user_id, participant_id } of participants)
      if (user_id === message.user_id) this.#remove(participant_id)
  }

  #remove(participantId: string): void {
    clearTimeout(this.#timers.get(participantId))
    if (this.#timers.delete(participantId)) this.set([...this.#timers.keys()])
  }

  #onSignal({ name, sourceId, ttlMs }: IncomingSignal): void {
    const state = this.#membership.get()
    const own = state.is === 'joined' && state.participant.participantId === sourceId
    if (name !== 'chat.typing' || own) return
    const known = this.#timers.has(sourceId)
    clearTimeout(this.#timers.get(sourceId))
    this.#timers.set(
      sourceId,
      setTimeout(() => this.#remove(sourceId), ttlMs),
    )
    if (!known) this.set([...this.#timers.keys()])
  }
}
