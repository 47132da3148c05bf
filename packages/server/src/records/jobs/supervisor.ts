import type { Logger } from 'pino'
import { BackOff } from './back-off.ts'
import { StandbyProcess } from './standby.ts'
import { WorkerProcess, type WorkerProgram, WorkerUnavailable } from './worker-process.ts'

interface SupervisorParts {
  /** For log lines. */
  name: string
  program: WorkerProgram
  log: Logger
  /** The delay before the second restart; it doubles with each further death. */
  restartAfterMs?: number
  /**
   * Runs a standby process that takes over when the worker dies. It is started this long after the worker is ready, so
   * that the two do not compete at the start. Without it there is no standby.
   */
  standbyAfterMs?: number
}

const RESTART_DELAY_MS = 500

/** Restarts a worker process when it dies, unless the worker reports that it cannot run on this machine. */
export class Supervisor {
  readonly #parts: SupervisorParts
  readonly #backOff: BackOff
  readonly #standby: StandbyProcess
  #worker: Promise<WorkerProcess>
  #timer: NodeJS.Timeout | undefined
  /** The back-off of the last death also delays the next standby. */
  #lastWaitMs = 0
  #stopping: Promise<void> | null = null
  readonly #stopped = new AbortController()

  private constructor(parts: SupervisorParts) {
    const { restartAfterMs = RESTART_DELAY_MS } = parts
    this.#parts = parts
    this.#backOff = new BackOff(restartAfterMs)
    this.#standby = new StandbyProcess({ ...parts, backOff: new BackOff(restartAfterMs) })
    this.#worker = this.#launch()
  }

  /** Returns at once: a worker that fails to start is logged and restarted like one that dies. */
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
    this.#stopped.abort()
    const worker = await this.#worker.catch(() => null) // it never started
    await Promise.all([worker?.stop(), this.#standby.stop()])
  }

  #launch(): Promise<WorkerProcess> {
    const worker = this.#activate()
    worker.catch(error => {
      if (!(error instanceof WorkerUnavailable))
        this.#restart(error, 'a worker did not start and is restarted')
      else
        this.#parts.log.warn(
          { worker: this.#parts.name, reason: error.message },
          'a worker cannot run on this machine and stays off: "lectern doctor" checks what it needs',
        )
    })
    return worker
  }

  async #activate(): Promise<WorkerProcess> {
    const { name, program, log, standbyAfterMs } = this.#parts
    const begunAt = performance.now()
    const worker = this.#standby.take() ?? new WorkerProcess(program)
    await worker.waitFor('ready', this.#stopped.signal)
    log.info({ worker: name, pid: worker.pid }, 'a worker is ready')
    if (standbyAfterMs !== undefined) this.#standby.schedule(standbyAfterMs + this.#lastWaitMs)
    void worker.exited.then(reason =>
      this.#restart(reason, 'a worker exited and is restarted', performance.now() - begunAt),
    )
    return worker
  }

  #restart(reason: Error, what: string, uptimeMs = 0): void {
    if (this.#stopping) return
    this.#lastWaitMs = this.#backOff.next(uptimeMs) // at once the first time, because sessions continue meanwhile
    const waitMs = this.#standby.exists ? 0 : this.#lastWaitMs
    this.#parts.log.error({ worker: this.#parts.name, err: reason, restart_in_ms: waitMs }, what)
    this.#timer = setTimeout(() => {
      this.#worker = this.#launch()
    }, waitMs)
  }
}
