import { Refusal } from '@lectern/protocol'

export interface FairQueueLimits {
  /** How many places there are. */
  places: number
  /** How many of them one client may hold. */
  placesOfOne: number
  /** How many may wait for a place. */
  waiting: number
  /** How many of those may be of one client. */
  waitingOfOne: number
  /** How long each waits at most. */
  waitMs: number
}

interface Waiting {
  client: string
  admit(): void
}

/**
 * Hands out a bounded number of places. Whoever finds none waits, within bounds; a place that is given back goes to the
 * waiting client that holds the fewest, and among those to the one that has waited longest.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits
  /** How many places each client holds. */
  readonly #held = new Map<string, number>()
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiting>()
  #free: number

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
    this.#free = limits.places
  }

  /**
   * Resolves with what gives the place back, to be called once. Rejects when too many wait, when it took too long, or
   * when `signal` says that nobody waits any more.
   */
  async acquire(client: string, signal?: AbortSignal): Promise<() => void> {
    if (!this.#hasPlaceFor(client)) await this.#wait(client, signal)
    else this.#take(client)
    return () => this.#release(client)
  }

  #wait(client: string, signal: AbortSignal | undefined): Promise<void> {
    const { waiting, waitingOfOne, waitMs } = this.#limits
    const own = [...this.#waiting].filter(each => each.client === client).length
    if (this.#waiting.size >= waiting || own >= waitingOfOne) throw new Refusal('temporarily_unavailable')
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        this.#waiting.delete(entry)
      }
      const giveUp = () => {
        leave()
        reject(new Refusal('temporarily_unavailable'))
      }
      const admit = () => {
        leave()
        this.#take(client)
        resolve()
      }
      const entry: Waiting = { client, admit }
      const timer = setTimeout(giveUp, waitMs)
      this.#waiting.add(entry)
      if (signal?.aborted) giveUp()
      else signal?.addEventListener('abort', giveUp)
    })
  }

  #take(client: string): void {
    this.#free -= 1
    this.#held.set(client, this.#heldBy(client) + 1)
  }

  #release(client: string): void {
    this.#free += 1
    const held = this.#heldBy(client) - 1
    if (held > 0) this.#held.set(client, held)
    else this.#held.delete(client)
    this.#next()?.admit()
  }

  #next(): Waiting | undefined {
    const admissible = [...this.#waiting].filter(({ client }) => this.#hasPlaceFor(client))
    const fewest = Math.min(...admissible.map(({ client }) => this.#heldBy(client)))
    return admissible.find(({ client }) => this.#heldBy(client) === fewest)
  }

  #hasPlaceFor(client: string): boolean {
    return this.#free > 0 && this.#heldBy(client) < this.#limits.placesOfOne
  }

  #heldBy(client: string): number {
    return this.#held.get(client) ?? 0
  }
}
