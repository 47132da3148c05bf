import type { Logger } from 'pino'

interface Task {
  everyMs: number
  /** Until the first run; `everyMs` if left out. A task with its own first delay also repeats from the start. */
  firstAfterMs?: number
  run: () => unknown
  /** The log message when a run fails. */
  onFailure: string
}

/** Owns the timers of everything that the server does periodically. Failures are logged; the next run retries. */
export class Scheduler {
  readonly #log: Pick<Logger, 'error'>
  readonly #timers: NodeJS.Timeout[] = []

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log
  }

  add(task: Task): void {
    const run = () => void this.#run(task)
    this.#timers.push(setInterval(run, task.everyMs))
    if (task.firstAfterMs !== undefined) this.#timers.push(setTimeout(run, task.firstAfterMs))
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
  }

  async #run({ run, onFailure }: Task): Promise<void> {
    try {
      await run()
    } catch (error) {
      this.#log.error({ err: error }, onFailure)
    }
  }
}
