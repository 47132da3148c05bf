import type { Environment } from '../environment.ts'

/** A clock that only a test advances. */
export class FakeClock {
  #now = 1_000_000
  #timers = new Set<{ at: number; run: () => void }>()

  now = () => this.#now

  after: Environment['after'] = (ms, run) => {
    const timer = { at: this.#now + ms, run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  get pending(): number {
    return this.#timers.size
  }

  /** Runs due timers in order; promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    await settle()
    for (let due = this.#nextUntil(end); due; due = this.#nextUntil(end)) {
      this.#timers.delete(due)
      this.#now = Math.max(this.#now, due.at)
      due.run()
      await settle()
    }
    this.#now = end
  }

  #nextUntil(end: number) {
    return [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
  }
}

/** Settles all pending promises. */
export const settle = () => new Promise<void>(resolve => setImmediate(resolve))
