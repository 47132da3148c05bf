import { Refusal } from '@lectern/protocol'

export interface FairQueueLimits {
  /** Slots in total. */
  capacity: number
  /** Slots that one client may hold. */
  capacityPerClient: number
  /** Requests that may wait for a slot. */
  maxWaiting: number
  /** Waiting requests of one client. */
  maxWaitingPerClient: number
  maxWaitMs: number
}

interface Waiting {
  client: string
  admit(): void
}

/**
 * A semaphore that is fair between clients: a released slot goes to the waiting client that holds the fewest slots, and
 * among those to the one that has waited longest. The number of waiting requests is limited.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits
  /** Slots held, by client. */
  readonly #slots = new Map<string, number>()
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiting>()
  #free: number

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
    this.#free = limits.capacity
  }

  /**
   * Resolves with a function that releases the slot; call it once. Rejects when too many requests wait, after
   * `maxWaitMs`, or when `signal` aborts.
   */
  async acquire(client: string, signal?: AbortSignal): Promise<() => void> {
    if (!this.#canAdmit(client)) await this.#wait(client, signal)
    else this.#admit(client)
    return () => this.#release(client)
  }

  #wait(client: string, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, maxWaitingPerClient, maxWaitMs } = this.#limits
    const own = [...this.#waiting].filter(each => each.client === client).length
    if (this.#waiting.size >= maxWaiting || own >= maxWaitingPerClient)
      throw new Refusal('temporarily_unavailable')
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
        this.#admit(client)
        resolve()
      }
      const entry: Waiting = { client, admit }
      const timer = setTimeout(giveUp, maxWaitMs)
      this.#waiting.add(entry)
      if (signal?.aborted) giveUp()
      else signal?.addEventListener('abort', giveUp)
    })
  }

  #admit(client: string): void {
    this.#free -= 1
    this.#slots.set(client, this.#slotsOf(client) + 1)
  }

  #release(client: string): void {
    this.#free += 1
    const held = this.#slotsOf(client) - 1
    if (held > 0) this.#slots.set(client, held)
    else this.#slots.delete(client)
    this.#next()?.admit()
  }

  #next(): Waiting | undefined {
    const admissible = [...this.#waiting].filter(({ client }) => this.#canAdmit(client))
    const fewest = Math.min(...admissible.map(({ client }) => this.#slotsOf(client)))
    return admissible.find(({ client }) => this.#slotsOf(client) === fewest)
  }

  #canAdmit(client: string): boolean {
    return this.#free > 0 && this.#slotsOf(client) < this.#limits.capacityPerClient
  }

  #slotsOf(client: string): number {
    return this.#slots.get(client) ?? 0
  }
}
