import type { Lifetime } from '@lectern/common'
import type { SessionView } from '@lectern/control-client'

/** Everybody loses a server at the same moment, and is back within seconds. */
const GRACE_MS = 10_000

/** After the own rejoin those who are not back yet count as present for a while: nobody has left, and nobody comes. */
export class RejoinGrace {
  readonly #onOver: () => void
  #self: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(lifetime: Lifetime, onOver: () => void = () => {}) {
    this.#onOver = onOver
    lifetime.defer(() => clearTimeout(this.#timer))
  }

  /**
   * The people of `after`, with those of `before` who are awaited. `self`: the own participant, which each join
   * replaces.
   */
  complete(before: SessionView | null, after: SessionView, self: string): SessionView {
    if (this.#self !== null && this.#self !== self) this.#start()
    this.#self = self
    if (!before || this.#timer === undefined) return after
    const known = new Set([...after.participants, ...after.removed].map(({ user_id }) => user_id))
    const awaited = before.participants.filter(({ user_id }) => !known.has(user_id))
    return awaited.length === 0 ? after : { ...after, participants: [...after.participants, ...awaited] }
  }

  #start(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#onOver()
    }, GRACE_MS)
  }
}
