import { Refusal } from '@lectern/protocol'

/** Longer waits are for the caller, who gets a Retry-After. */
const WAIT_MAX_MS = 10_000

/** Limits how much runs at once. Waiting callers are served in order. */
export class Slots {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  /** Resolves with the function that returns the slot, safe to call twice. Throws `temporarily_unavailable` after 10 s. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await this.#wait()
    let isHeld = true
    return () => {
      if (isHeld) this.#release()
      isHeld = false
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(next)
        reject(new Refusal('temporarily_unavailable', 'Too many files are being transferred.'))
      }, WAIT_MAX_MS)
      const next = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#waiting.add(next)
    })
  }

  /** Hands the slot to the caller who has waited longest. */
  #release(): void {
    const [next] = this.#waiting
    if (next) {
      this.#waiting.delete(next)
      next()
    } else this.#free++
  }
}
