import type { Logger } from 'pino'
import { type RunningWorker, startWorker, type WorkerProgram } from './start-worker.ts'

interface SupervisorParts {
  /** For the log. */
  name: string
  program: WorkerProgram
  log: Logger
  /** The first wait before a worker is started anew; it doubles with each death. */
  restartAfterMs?: number
}

const RESTART_AFTER_MS = 500
const RESTART_AFTER_MAX_MS = 30_000
/** Who lived so long begins again with the first wait. */
const HEALTHY_AFTER_MS = 60_000

/** Keeps one worker running. */
export class Supervisor {
  readonly #parts: SupervisorParts
  readonly #firstWaitMs: number
  #worker: Promise<RunningWorker>
  #timer: NodeJS.Timeout | undefined
  #deaths = 0
  #stopping: Promise<void> | null = null

  private constructor(parts: SupervisorParts) {
    this.#parts = parts
    this.#firstWaitMs = parts.restartAfterMs ?? RESTART_AFTER_MS
    this.#worker = this.#spawn()
  }

  /** Rejects when the worker does not get ready the first time: whoever starts it wants to know. */
  static async start(parts: SupervisorParts): Promise<Supervisor> {
    const supervisor = new Supervisor(parts)
    await supervisor.#worker
    return supervisor
  }

  /** Safe to call twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer)
    const worker = await this.#worker.catch(() => null) // it never started, so there is nothing to stop
    await worker?.stop()
  }

  async #spawn(): Promise<RunningWorker> {
    const startedAt = performance.now()
    const worker = await startWorker(this.#parts.program, reason => {
      if (performance.now() - startedAt > HEALTHY_AFTER_MS) this.#deaths = 0
      this.#restart(reason, 'a worker died')
    })
    this.#parts.log.info({ worker: this.#parts.name, pid: worker.pid }, 'a worker is ready')
    return worker
  }

  #restart(reason: Error, what: string): void {
    if (this.#stopping) return
    const waitMs = Math.min(this.#firstWaitMs * 2 ** this.#deaths++, RESTART_AFTER_MAX_MS)
    this.#parts.log.error({ worker: this.#parts.name, err: reason, restart_in_ms: waitMs }, what)
    this.#timer = setTimeout(() => {
      this.#worker = this.#spawn()
      this.#worker.catch(error => this.#restart(error, 'a worker did not start'))
    }, waitMs)
  }
}
