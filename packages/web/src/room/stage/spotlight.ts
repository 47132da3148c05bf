import type { Call } from '../../call/call.ts'
import type { Lifetime } from '../../call/lifetime.ts'
import { Observable } from '../../observable.ts'
import { readTileId, tileIdOf } from './tiles.ts'

export interface SpotlightState {
  /** The tile that this visitor wants to see large, whatever happens. */
  pinned: string | null
  /** The participant who has the floor. */
  speaker: string | null
}

/** A word in between, or a cough, does not turn every head. */
const TAKES_THE_FLOOR_AFTER_MS = 1_500

type Source = Pick<Call, 'get' | 'speakers' | 'subscribe'>

/** Whom to look at. */
export class Spotlight extends Observable<SpotlightState> {
  readonly #call: Source
  /** The account of the person who is pinned. */
  #pinnedUserId: string | null = null
  #candidate: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(call: Source, life: Lifetime) {
    super({ pinned: null, speaker: null })
    this.#call = call
    life.own(call.speakers.subscribe(() => this.#listen()))
    life.own(call.subscribe(() => this.#followPinned()))
    life.own(() => clearTimeout(this.#timer))
  }

  readonly togglePin = (tile: string): void => {
    this.set({ ...this.get(), pinned: this.get().pinned === tile ? null : tile })
    this.#pinnedUserId = null
    this.#followPinned()
  }

  /** A person who had to join again is another participant, and still the one who is pinned. */
  #followPinned(): void {
    const state = this.#call.get()
    const { pinned } = this.get()
    if (state.is !== 'inside' || pinned === null) return
    const { is, participantId } = readTileId(pinned)
    const { participants } = state.session
    const present = participants.find(each => each.participant_id === participantId)
    if (present) this.#pinnedUserId = present.user_id
    const heir = present ? undefined : participants.find(each => each.user_id === this.#pinnedUserId)
    if (heir) this.set({ ...this.get(), pinned: tileIdOf(is, heir.participant_id) })
  }

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
