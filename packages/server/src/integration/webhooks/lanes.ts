export interface LaneLimits {
  /** Attempts under way at a time, all in all. */
  all: number
  /** And to one target that answers. */
  each: number
}

const LIMITS: LaneLimits = { all: 256, each: 4 }

/**
 * Who may send now. A target that failed last is ailing: it gets one lane until it answers again, and all ailing
 * ones together never take more than half of the lanes, so that any number of them leaves room for the others.
 */
export class Lanes {
  readonly #limits: LaneLimits
  readonly #taken = new Map<string, number>()
  readonly #ailing = new Set<string>()

  constructor(limits = LIMITS) {
    this.#limits = limits
  }

  /** How many may be under way to one target. */
  get perTarget(): number {
    return this.#limits.each
  }

  get free(): number {
    return this.#limits.all - sum(this.#taken.values())
  }

  /** False when the target has to wait. */
  enter(target: string): boolean {
    if (this.free <= 0 || this.#isFull(target)) return false
    this.#taken.set(target, this.#count(target) + 1)
    return true
  }

  /** `healthy` tells how the attempt went; leave it out when there was none. */
  leave(target: string, healthy?: boolean) {
    if (this.#count(target) > 1) this.#taken.set(target, this.#count(target) - 1)
    else this.#taken.delete(target)
    if (healthy === true) this.#ailing.delete(target)
    if (healthy === false) this.#ailing.add(target)
  }

  /** Those whom `enter` would refuse now, whatever else is free. */
  full(): string[] {
    return [...new Set([...this.#taken.keys(), ...this.#ailing])].filter(target => this.#isFull(target))
  }

  #isFull(target: string): boolean {
    if (!this.#ailing.has(target)) return this.#count(target) >= this.#limits.each
    return this.#count(target) > 0 || this.#takenByAiling() >= this.#limits.all / 2
  }

  #takenByAiling(): number {
    return sum([...this.#taken].map(([target, count]) => (this.#ailing.has(target) ? count : 0)))
  }

  #count(target: string): number {
    return this.#taken.get(target) ?? 0
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
