import type { Logger } from 'pino'

interface Task {
  everyMs: number
  /** Until the first run; `everyMs` if left out. A task with its own first delay also repeats from the start. */
  firstAfterMs?: number
  run: () => unknown
  /** The log message when a run fails. */
  onFailure: string
}

/** A task that runs for longer is reported, once: until it ends, it does not run again. */
const STUCK_MS = 60_000

/**
 * Owns the timers of everything that the server does periodically. Failures are logged; the next run retries. A task does
 * not overlap itself: while it is running, its periods pass without a run.
 */
export class Scheduler {
  readonly #log: Pick<Logger, 'error'>
  readonly #timers: NodeJS.Timeout[] = []

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log
  }

  add(task: Task): void {
    let isRunning = false
    const run = async () => {
      if (isRunning) return
      isRunning = true
      await this.#run(task)
      isRunning = false
    }
    this.#timers.push(setInterval(run, task.everyMs))
    if (task.firstAfterMs !== undefined) this.#timers.push(setTimeout(run, task.firstAfterMs))
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
  }

  async #run({ run, onFailure }: Task): Promise<void> {
    const warning = setTimeout(
      () => this.#log.error({ err: new Error(`still running after ${STUCK_MS / 1000} s`) }, onFailure),
      STUCK_MS,
    ).unref()
    try {
      await run()
    } catch (error) {
      this.#log.error({ err: error }, onFailure)
    } finally {
      clearTimeout(warning)
    }
  }
}
