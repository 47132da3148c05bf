import type { Logger } from 'pino'
import { type RunningWorker, startWorker, type WorkerProgram, WorkerUnavailable } from './start-worker.ts'

interface SupervisorParts {
  /** For the log. */
  name: string
  program: WorkerProgram
  log: Logger
  /** The first wait before a worker is started anew that died again; it doubles with each death. */
  restartAfterMs?: number
}

const RESTART_AFTER_MS = 500
const RESTART_AFTER_MAX_MS = 30_000
/** Who lived so long begins again without a wait. */
const HEALTHY_AFTER_MS = 60_000

/** Keeps one worker running, unless it says that it cannot work on this machine. */
export class Supervisor {
  readonly #parts: SupervisorParts
  readonly #firstWaitMs: number
  #worker: Promise<RunningWorker>
  #timer: NodeJS.Timeout | undefined
  #deaths = 0
  #stopping: Promise<void> | null = null
  readonly #unwanted = new AbortController()

  private constructor(parts: SupervisorParts) {
    this.#parts = parts
    this.#firstWaitMs = parts.restartAfterMs ?? RESTART_AFTER_MS
    this.#worker = this.#launch()
  }

  /** Returns at once: a worker that does not start is logged and tried again, like one that dies. */
  static start(parts: SupervisorParts): Supervisor {
    return new Supervisor(parts)
  }

  /** Safe to call twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#unwanted.abort()
    const worker = await this.#worker.catch(() => null) // it never started, so there is nothing to stop
    await worker?.stop()
  }

  #launch(): Promise<RunningWorker> {
    const worker = this.#spawn()
    worker.catch(error => {
      if (!(error instanceof WorkerUnavailable)) this.#restart(error, 'a worker did not start')
      else
        this.#parts.log.warn({ worker: this.#parts.name, reason: error.message }, 'a worker cannot work here')
    })
    return worker
  }

  async #spawn(): Promise<RunningWorker> {
    const startedAt = performance.now()
    const worker = await startWorker(
      this.#parts.program,
      reason => {
        if (performance.now() - startedAt > HEALTHY_AFTER_MS) this.#deaths = 0
        this.#restart(reason, 'a worker died')
      },
      this.#unwanted.signal,
    )
    this.#parts.log.info({ worker: this.#parts.name, pid: worker.pid }, 'a worker is ready')
    return worker
  }

  #restart(reason: Error, what: string): void {
    if (this.#stopping) return
    const again = this.#deaths++ // the first time at once: what it worked on goes on meanwhile
    const waitMs = again && Math.min(this.#firstWaitMs * 2 ** (again - 1), RESTART_AFTER_MAX_MS)
    this.#parts.log.error({ worker: this.#parts.name, err: reason, restart_in_ms: waitMs }, what)
    this.#timer = setTimeout(() => {
      this.#worker = this.#launch()
    }, waitMs)
  }
}
