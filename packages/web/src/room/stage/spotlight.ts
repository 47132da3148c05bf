import type { Call } from '../../call/call.ts'
import type { Lifetime } from '../../call/lifetime.ts'
import { Observable } from '../../observable.ts'

export interface SpotlightState {
  /** The tile that this visitor wants to see large, whatever happens. */
  pinned: string | null
  /** The participant who has the floor. */
  speaker: string | null
}

/** A word in between, or a cough, does not turn every head. */
const TAKES_THE_FLOOR_AFTER_MS = 1_500

type Source = Pick<Call, 'get' | 'speakers'>

/** Whom to look at. */
export class Spotlight extends Observable<SpotlightState> {
  readonly #call: Source
  #candidate: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(call: Source, life: Lifetime) {
    super({ pinned: null, speaker: null })
    this.#call = call
    life.own(call.speakers.subscribe(() => this.#listen()))
    life.own(() => clearTimeout(this.#timer))
  }

  readonly togglePin = (tile: string): void =>
    this.set({ ...this.get(), pinned: this.get().pinned === tile ? null : tile })

  #listen(): void {
    const { active } = this.#call.speakers.get()
    const candidate = active === this.#self || active === this.get().speaker ? null : active
    if (candidate === this.#candidate) return
    this.#candidate = candidate
    clearTimeout(this.#timer)
    if (candidate === null) return
    this.#timer = setTimeout(() => {
      this.#candidate = null
      this.set({ ...this.get(), speaker: candidate })
    }, TAKES_THE_FLOOR_AFTER_MS)
  }

  /** One looks at others while one speaks. */
  get #self(): string | null {
    const state = this.#call.get()
    return state.is === 'inside' ? state.me.participant_id : null
  }
}
