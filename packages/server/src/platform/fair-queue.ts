import { Refusal } from '@lectern/protocol'

/** An absent limit does not apply. */
export interface FairQueueLimits {
  /** Slots in total. */
  capacity: number
  /** Slots that one client may hold. */
  capacityPerClient?: number
  /** Requests that may wait for a slot. */
  maxWaiting?: number
  /** Waiting requests of one client. */
  maxWaitingPerClient?: number
  maxWaitMs?: number
}

interface Client {
  name: string
  held: number
  /** In the order of arrival. */
  waiting: Set<Waiting>
}

interface Waiting {
  /** Counts arrivals. */
  number: number
  admit(): void
}

/**
 * A semaphore that is fair between clients: a released slot goes to the waiting client that holds the fewest slots, and
 * among those to the one that has waited longest. The number of waiting requests is limited. Where clients are not named,
 * they are served in order.
 */
export class FairQueue {
  readonly #limits: Required<FairQueueLimits>
  readonly #refusal: string | undefined
  /** Clients that hold a slot or wait for one. */
  readonly #clients = new Map<string, Client>()
  #free: number
  #waiting = 0
  #arrivals = 0

  /** `refusal`: the message of refusals. */
  constructor(limits: FairQueueLimits, refusal?: string) {
    const unlimited = Number.POSITIVE_INFINITY
    this.#limits = {
      capacityPerClient: unlimited,
      maxWaiting: unlimited,
      maxWaitingPerClient: unlimited,
      maxWaitMs: unlimited,
      ...limits,
    }
    this.#refusal = refusal
    this.#free = limits.capacity
  }

  /** Executes the task in a slot. Rejects as `acquire`. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire('', signal)
    try {
      return await task()
    } finally {
      release()
    }
  }

  /**
   * Resolves with a function that releases the slot, safe to call twice. Throws `temporarily_unavailable` when too many
   * requests wait and after `maxWaitMs`, and the reason of the signal when that aborts.
   */
  async acquire(name = '', signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    const client = this.#clients.get(name) ?? { name, held: 0, waiting: new Set() }
    if (this.#canAdmit(client)) this.#admit(client)
    else await this.#wait(client, signal)
    let isHeld = true
    return () => {
      if (isHeld) this.#release(client)
      isHeld = false
    }
  }

  #wait(client: Client, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, maxWaitingPerClient, maxWaitMs } = this.#limits
    const refusal = () => new Refusal('temporarily_unavailable', this.#refusal)
    if (this.#waiting >= maxWaiting || client.waiting.size >= maxWaitingPerClient) throw refusal()
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        client.waiting.delete(entry)
        this.#waiting -= 1
        this.#forgetIdle(client)
      }
      const abort = () => {
        leave()
        reject(signal?.reason)
      }
      const giveUp = () => {
        leave()
        reject(refusal())
      }
      const admit = () => {
        this.#admit(client)
        leave()
        resolve()
      }
      const entry = { number: ++this.#arrivals, admit }
      const timer = maxWaitMs < Number.POSITIVE_INFINITY ? setTimeout(giveUp, maxWaitMs) : undefined
      client.waiting.add(entry)
      this.#clients.set(client.name, client)
      this.#waiting += 1
      signal?.addEventListener('abort', abort)
    })
  }

  #admit(client: Client): void {
    this.#free -= 1
    client.held += 1
    this.#clients.set(client.name, client)
  }

  #release(client: Client): void {
    this.#free += 1
    client.held -= 1
    this.#forgetIdle(client)
    this.#next()?.admit()
  }

  #forgetIdle(client: Client): void {
    if (client.held === 0 && client.waiting.size === 0) this.#clients.delete(client.name)
  }

  #next(): Waiting | undefined {
    let best: { held: number; first: Waiting } | undefined
    for (const client of this.#clients.values()) {
      const [first] = client.waiting
      if (!first || !this.#canAdmit(client)) continue
      const { held } = client
      if (!best || held < best.held || (held === best.held && first.number < best.first.number))
        best = { held, first }
    }
    return best?.first
  }

  #canAdmit(client: Client): boolean {
    return this.#free > 0 && client.held < this.#limits.capacityPerClient
  }
}
