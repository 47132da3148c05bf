import { type Lifetime, Observable } from '@lectern/common'
import type { IncomingSignal } from '@lectern/control-client'
import { REACTIONS, type Reaction, sessionStream } from '@lectern/protocol/control/client'
import type { Membership } from './membership.ts'
import type { Control } from './ports.ts'

export interface ShownReaction {
  id: number
  participantId: string
  reaction: Reaction
}

const SHOWN_FOR_MS = 5_000
/** Reactions of all participants together; the oldest make room. */
const SHOWN_MAX = 50
/** The server permits five at once and one a second; a page that sends less loses none. */
const MIN_INTERVAL_MS = 1_000

/** The reactions of the last seconds, oldest first. Nothing of them is stored. */
export class Reactions extends Observable<readonly ShownReaction[]> {
  readonly #control: Control
  readonly #membership: Membership
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  #count = 0
  #sentAt = Number.NEGATIVE_INFINITY

  constructor(control: Control, membership: Membership, lifetime: Lifetime) {
    super([])
    this.#control = control
    this.#membership = membership
    lifetime.defer(control.onSignal(signal => this.#onSignal(signal)))
    lifetime.defer(() => this.#timers.forEach(clearTimeout))
  }

  /** False: it is too soon after the last one, or there is no connection. */
  readonly show = (reaction: Reaction): boolean => {
    const state = this.#membership.get()
    if (state.is !== 'joined' || performance.now() - this.#sentAt < MIN_INTERVAL_MS) return false
    this.#sentAt = performance.now()
    const { sessionId, participantId } = state.participant
    this.#control.sendSignal({
      streamId: sessionStream(sessionId),
      sourceId: participantId,
      name: 'reaction.shown',
      body: { reaction },
      ttlMs: SHOWN_FOR_MS,
    })
    this.#add(participantId, reaction)
    return true
  }

  #onSignal({ name, sourceId, body }: IncomingSignal): void {
    if (name !== 'reaction.shown') return
    // A newer server may know more of them.
    const reaction = REACTIONS.find(each => each === (body as { reaction?: unknown }).reaction)
    if (reaction) this.#add(sourceId, reaction)
  }

  #add(participantId: string, reaction: Reaction): void {
    const id = ++this.#count
    this.set([...this.get(), { id, participantId, reaction }].slice(-SHOWN_MAX))
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.set(this.get().filter(each => each.id !== id))
    }, SHOWN_FOR_MS)
    this.#timers.add(timer)
  }
}
