import { Refusal } from '@lectern/protocol'

/** Runs so much work at once; so much more waits in line, and what comes then is refused immediately. */
export class BoundedQueue {
  readonly #concurrency: number
  readonly #waitingMax: number
  readonly #waiting = new Set<() => void>()
  #running = 0

  constructor(concurrency: number, waitingMax: number) {
    this.#concurrency = concurrency
    this.#waitingMax = waitingMax
  }

  /** Throws `temporarily_unavailable` when the line is full, and the signal's reason when it is aborted in line. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted()
    await this.#turn(signal)
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    if (this.#running < this.#concurrency) {
      this.#running++
      return
    }
    if (this.#waiting.size >= this.#waitingMax)
      throw new Refusal('temporarily_unavailable', 'Too many people are signing in; try again.')
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.delete(start)
        reject(signal.reason)
      }
      this.#waiting.add(start)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** Passes the turn on to who has waited longest. */
  #next(): void {
    const [start] = this.#waiting
    if (!start) {
      this.#running--
      return
    }
    this.#waiting.delete(start)
    start()
  }
}
