import { type Lifetime, Observable } from '@lectern/common'
import type { IncomingSignal } from '@lectern/control-client'
import { type SignalBody, sessionStream } from '@lectern/protocol/control/client'
import type { CurrentSession } from './current-session.ts'
import type { Membership } from './membership.ts'
import type { Control } from './ports.ts'

/** Shares of the width and height of a shared screen, from its upper left corner. */
export interface PointerPosition {
  x: number
  y: number
}

/** The positions by publication. */
export type PointersState = ReadonlyMap<string, PointerPosition>

/** Half as often as the server permits. */
const MIN_INTERVAL_MS = 100
/** In a large session less often: the server limits how many people are notified in a second. */
const INTERVAL_PER_PERSON_MS = 1
/** A pointer that rests is reported again before it expires. */
const TTL_MS = 3_000
const REPEAT_MS = 1_500

/** The positions of presenters' pointers on their shared screens. Nothing of them is stored. */
export class Pointers extends Observable<PointersState> {
  readonly #control: Control
  readonly #membership: Membership
  readonly #session: CurrentSession
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  /** The own pointer; null: none is shown. */
  #own: { publicationId: string; position: PointerPosition } | null = null
  #sentAt = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(control: Control, membership: Membership, session: CurrentSession, lifetime: Lifetime) {
    super(new Map())
    this.#control = control
    this.#membership = membership
    this.#session = session
    lifetime.defer(control.onSignal(signal => this.#onSignal(signal)))
    lifetime.defer(session.subscribe(() => this.#removeEnded()))
    lifetime.defer(() => {
      clearTimeout(this.#timer)
      for (const timer of this.#timers.values()) clearTimeout(timer)
    })
  }

  /** Call it on every move: it notifies the others at intervals, the last position included. */
  readonly point = (publicationId: string, position: PointerPosition): void => {
    this.#own = { publicationId, position }
    const waitMs = this.#sentAt + this.#intervalMs - performance.now()
    clearTimeout(this.#timer)
    if (waitMs <= 0) this.#send()
    else this.#timer = setTimeout(() => this.#send(), waitMs)
  }

  /** The own pointer disappears. */
  readonly hide = (): void => {
    clearTimeout(this.#timer)
    const own = this.#own
    this.#own = null
    if (own) this.#signal(own.publicationId, null)
  }

  #send(): void {
    if (!this.#own) return
    const { publicationId, position } = this.#own
    this.#sentAt = performance.now()
    this.#signal(publicationId, position)
    this.#timer = setTimeout(() => this.#send(), REPEAT_MS)
  }

  #signal(publication_id: string, position: PointerPosition | null): void {
    const state = this.#membership.get()
    if (state.is !== 'joined') return
    const { sessionId, participantId } = state.participant
    this.#control.sendSignal({
      streamId: sessionStream(sessionId),
      sourceId: participantId,
      name: 'screen.pointer',
      body: { publication_id, position: position && { ...position } },
      ttlMs: TTL_MS,
    })
  }

  get #intervalMs(): number {
    const people = this.#session.get()?.participants.length ?? 0
    return Math.max(MIN_INTERVAL_MS, people * INTERVAL_PER_PERSON_MS)
  }

  #onSignal({ name, body, ttlMs }: IncomingSignal): void {
    if (name !== 'screen.pointer') return
    const { publication_id, position } = body as SignalBody<'screen.pointer'>
    clearTimeout(this.#timers.get(publication_id))
    if (!position) {
      this.#remove(publication_id)
      return
    }
    this.#timers.set(
      publication_id,
      setTimeout(() => this.#remove(publication_id), ttlMs),
    )
    this.set(new Map(this.get()).set(publication_id, position))
  }

  #removeEnded(): void {
    const shared = new Set(this.#session.publications.map(each => each.publication_id))
    for (const id of this.get().keys()) if (!shared.has(id)) this.#remove(id)
  }

  #remove(publicationId: string): void {
    clearTimeout(this.#timers.get(publicationId))
    this.#timers.delete(publicationId)
    if (!this.get().has(publicationId)) return
    const rest = new Map(this.get())
    rest.delete(publicationId)
    this.set(rest)
  }
}
