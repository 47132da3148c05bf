import type { Logger } from 'pino'
import { BackOff } from './back-off.ts'
import { Standby } from './standby.ts'
import { WorkerProcess, type WorkerProgram, WorkerUnavailable } from './worker-process.ts'

interface SupervisorParts {
  /** For the log. */
  name: string
  program: WorkerProgram
  log: Logger
  /** The first wait before a worker is started anew that died again; it doubles with each death. */
  restartAfterMs?: number
  /**
   * Another process stands by, which begins at once when the worker dies; it is started so long after the worker was
   * ready, which has the machine to itself until then. If it is not given, no process stands by.
   */
  standbyAfterMs?: number
}

const RESTART_AFTER_MS = 500

/** Keeps one worker running, unless it says that it cannot work on this machine. */
export class Supervisor {
  readonly #parts: SupervisorParts
  readonly #backOff: BackOff
  readonly #standby: Standby
  #worker: Promise<WorkerProcess>
  #timer: NodeJS.Timeout | undefined
  /** What the last death would have to wait; the next standby is put off by it. */
  #lastWaitMs = 0
  #stopping: Promise<void> | null = null
  readonly #unwanted = new AbortController()

  private constructor(parts: SupervisorParts) {
    const { restartAfterMs = RESTART_AFTER_MS } = parts
    this.#parts = parts
    this.#backOff = new BackOff(restartAfterMs)
    this.#standby = new Standby({ ...parts, backOff: new BackOff(restartAfterMs) })
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
    await Promise.all([worker?.stop(), this.#standby.stop()])
  }

  #launch(): Promise<WorkerProcess> {
    const worker = this.#begin()
    worker.catch(error => {
      if (!(error instanceof WorkerUnavailable)) this.#restart(error, 'a worker did not start')
      else
        this.#parts.log.warn({ worker: this.#parts.name, reason: error.message }, 'a worker cannot work here')
    })
    return worker
  }

  async #begin(): Promise<WorkerProcess> {
    const { name, program, log, standbyAfterMs } = this.#parts
    const begunAt = performance.now()
    const worker = this.#standby.take() ?? new WorkerProcess(program)
    await worker.says('ready', this.#unwanted.signal)
    log.info({ worker: name, pid: worker.pid }, 'a worker is ready')
    if (standbyAfterMs !== undefined) this.#standby.prepare(standbyAfterMs + this.#lastWaitMs)
    void worker.died.then(reason => this.#restart(reason, 'a worker died', performance.now() - begunAt))
    return worker
  }

  #restart(reason: Error, what: string, livedMs = 0): void {
    if (this.#stopping) return
    this.#lastWaitMs = this.#backOff.next(livedMs) // the first time at once: what it worked on goes on meanwhile
    const waitMs = this.#standby.isThere ? 0 : this.#lastWaitMs
    this.#parts.log.error({ worker: this.#parts.name, err: reason, restart_in_ms: waitMs }, what)
    this.#timer = setTimeout(() => {
      this.#worker = this.#launch()
    }, waitMs)
  }
}
