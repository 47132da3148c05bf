import type { Logger } from 'pino'

interface Task {
  everyMs: number
  /** Until the first run; `everyMs` if left out. A task with its own first delay also repeats from the start. */
  firstAfterMs?: number
  run: () => unknown
  /** The log message when a run fails. */
  onFailure: string
}

/** Also before the first run: what is removed because of its age is gone, and a machine may start with a clock far ahead. */
const HOUR_MS = 3_600_000
const APART_MS = 20_000

/** A task that runs for longer is reported, once: until it ends, it does not run again. */
const STUCK_MS = 60_000

/**
 * Owns the timers of everything that the server does periodically. Failures are logged; the next run retries. A task does
 * not overlap itself: while it is running, its periods pass without a run.
 */
export class Scheduler {
  readonly #log: Pick<Logger, 'error'>
  readonly #timers = new Set<NodeJS.Timeout>()
  #hourly = 0

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log
  }

  add(task: Task): void {
    const run = this.#withoutOverlap(task)
    this.#timers.add(setInterval(run, task.everyMs))
    if (task.firstAfterMs !== undefined) this.#timers.add(setTimeout(run, task.firstAfterMs))
  }

  /** Runs a task every hour, first after one, at another time than the other ones: together they would hold up everything else. */
  addHourly(task: Pick<Task, 'run' | 'onFailure'>): void {
    const run = this.#withoutOverlap(task)
    const wait = setTimeout(
      () => {
        this.#timers.delete(wait)
        this.#timers.add(setInterval(run, HOUR_MS))
      },
      this.#hourly++ * APART_MS,
    )
    this.#timers.add(wait)
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #withoutOverlap(task: Pick<Task, 'run' | 'onFailure'>): () => Promise<void> {
    let isRunning = false
    return async () => {
      if (isRunning) return
      isRunning = true
      await this.#run(task)
      isRunning = false
    }
  }

  async #run({ run, onFailure }: Pick<Task, 'run' | 'onFailure'>): Promise<void> {
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
