import { Refusal } from '@lectern/protocol'

/** Limits concurrency: runs `concurrency` tasks, queues up to `waitingMax` more, and refuses any further one at once. */
export class BoundedQueue {
  readonly #concurrency: number
  readonly #waitingMax: number
  readonly #waiting = new Set<() => void>()
  #running = 0

  constructor(concurrency: number, waitingMax: number) {
    this.#concurrency = concurrency
    this.#waitingMax = waitingMax
  }

  /** Throws `temporarily_unavailable` if the queue is full, and the reason of the signal if it aborts a queued task. */
  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted()
    await this.#acquire(signal)
    try {
      return await task()
    } finally {
      this.#release()
    }
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    if (this.#running < this.#concurrency) {
      this.#running++
      return
    }
    if (this.#waiting.size >= this.#waitingMax)
      throw new Refusal('temporarily_unavailable', 'Too many people are signing in; try again.')
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', cancel)
        resolve()
      }
      const cancel = () => {
        this.#waiting.delete(start)
        reject(signal.reason)
      }
      this.#waiting.add(start)
      signal.addEventListener('abort', cancel, { once: true })
    })
  }

  /** Starts the task that was queued first. */
  #release(): void {
    const [start] = this.#waiting
    if (!start) {
      this.#running--
      return
    }
    this.#waiting.delete(start)
    start()
  }
}
