import { type Lifetime, Observable } from '@lectern/common'
import type { Call } from '../../../call/call.ts'
import { readTileId, tileIdOf } from '../tiles/tiles.ts'

export interface SpotlightState {
  /** The tile that the user has pinned. */
  pinned: string | null
  /** The participant who is speaking. */
  speaker: string | null
}

/** Short interjections do not switch the speaker. */
const SPEAKER_SWITCH_MS = 1_500

type Source = Pick<Call, 'get' | 'speakers' | 'subscribe'>

/** The pinned tile and the current speaker. */
export class Spotlight extends Observable<SpotlightState> {
  readonly #call: Source
  /** The account of the pinned person. */
  #pinnedUserId: string | null = null
  #candidate: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(call: Source, lifetime: Lifetime) {
    super({ pinned: null, speaker: null })
    this.#call = call
    lifetime.defer(call.speakers.subscribe(() => this.#onSpeakers()))
    lifetime.defer(call.subscribe(() => this.#updatePinned()))
    lifetime.defer(() => clearTimeout(this.#timer))
  }

  readonly togglePin = (tile: string): void => {
    this.set({ ...this.get(), pinned: this.get().pinned === tile ? null : tile })
    this.#pinnedUserId = null
    this.#updatePinned()
  }

  /** A person who had to rejoin is another participant, and stays pinned. */
  #updatePinned(): void {
    const state = this.#call.get()
    const { pinned } = this.get()
    if (state.is !== 'joined' || pinned === null) return
    const { is, participantId } = readTileId(pinned)
    const { participants } = state.session
    const present = participants.find(each => each.participant_id === participantId)
    if (present) this.#pinnedUserId = present.user_id
    const successor = present ? undefined : participants.find(each => each.user_id === this.#pinnedUserId)
    if (successor) this.set({ ...this.get(), pinned: tileIdOf(is, successor.participant_id) })
  }

  #onSpeakers(): void {
    const { active } = this.#call.speakers.get()
    const candidate = active === this.#self || active === this.get().speaker ? null : active
    if (candidate === this.#candidate) return
    this.#candidate = candidate
    clearTimeout(this.#timer)
    if (candidate === null) return
    this.#timer = setTimeout(() => {
      this.#candidate = null
      this.set({ ...this.get(), speaker: candidate })
    }, SPEAKER_SWITCH_MS)
  }

  /** The own participant never becomes the speaker. */
  get #self(): string | null {
    const state = this.#call.get()
    return state.is === 'joined' ? state.me.participant_id : null
  }
}
