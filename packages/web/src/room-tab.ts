import { holdLock } from './hold-lock.ts'

/** How long the page before a reload may take to release its lock. */
const RELEASED_WITHIN_MS = 1_000

const prefixOf = (tag: string) => `lectern.room.${tag}.`

/** The tabs of this browser that are in rooms. Without locks each tab is the only one. */
export class RoomTab {
  readonly #locks: LockManager | undefined
  #held: string | null = null
  #release = () => {}

  constructor(locks?: LockManager) {
    this.#locks = locks
  }

  /**
   * This tab is in the room, under an id that outlives reloads, until `release`. False: another tab has the id, of which
   * this one is a copy: a browser that duplicates a tab copies its session storage.
   */
  async claim(tag: string, id: string): Promise<boolean> {
    const name = prefixOf(tag) + id
    if (this.#held === name) return true
    this.release()
    const { promise: released, resolve } = Promise.withResolvers<void>()
    this.#held = name
    this.#release = resolve
    const signal = AbortSignal.timeout(RELEASED_WITHIN_MS)
    return holdLock(this.#locks, name, { signal }, released)
  }

  release(): void {
    this.#release()
    this.#held = null
  }

  /** Whether another tab is in the room. */
  async isElsewhere(tag: string): Promise<boolean> {
    try {
      const { held = [] } = (await this.#locks?.query()) ?? {}
      return held.some(({ name }) => name?.startsWith(prefixOf(tag)) && name !== this.#held)
    } catch {
      return false // blocked, with the storage
    }
  }
}
