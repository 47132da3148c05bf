import type { Logger } from 'pino'
import type { BackOff } from './back-off.ts'
import { WorkerProcess, type WorkerProgram } from './worker-process.ts'

interface StandbyParts {
  /** For log lines. */
  name: string
  program: WorkerProgram
  log: Logger
  backOff: BackOff
}

/**
 * A second process of a worker that is loaded and waits. On a busy machine, starting a process takes seconds;
 * activating a waiting one takes a fraction of a second.
 */
export class StandbyProcess {
  readonly #parts: StandbyParts
  #process: WorkerProcess | null = null
  #timer: NodeJS.Timeout | undefined
  readonly #stopped = new AbortController()

  constructor(parts: StandbyParts) {
    this.#parts = parts
  }

  /** Also true while it is loading. */
  get exists(): boolean {
    return this.#process !== null
  }

  /** Starts a standby process after a delay, if there is none. */
  schedule(afterMs: number): void {
    clearTimeout(this.#timer)
    if (this.#stopped.signal.aborted || this.#process) return
    this.#timer = setTimeout(() => void this.#run(), afterMs)
  }

  /** Activates the standby process and hands it over; null when there is none. */
  take(): WorkerProcess | null {
    clearTimeout(this.#timer)
    const taken = this.#process
    this.#process = null
    taken?.send({ begin: true })
    return taken
  }

  /** Safe to call twice. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#stopped.abort()
    await this.#process?.stop()
  }

  /** From its start until it exits or is taken. */
  async #run(): Promise<void> {
    const { name, program, log, backOff } = this.#parts
    const startedAt = performance.now()
    const process = new WorkerProcess(program, ['--standby'])
    this.#process = process
    const reason = await this.#exitOf(process)
    if (this.#process !== process || this.#stopped.signal.aborted) return
    this.#process = null
    const waitMs = backOff.next(performance.now() - startedAt)
    log.error(
      { worker: name, err: reason, restart_in_ms: waitMs },
      'a standby worker exited and is restarted',
    )
    this.schedule(waitMs)
  }

  async #exitOf(process: WorkerProcess): Promise<Error> {
    const { name, log } = this.#parts
    try {
      await process.waitFor('standby', this.#stopped.signal)
    } catch (error) {
      return error as Error
    }
    log.info({ worker: name, pid: process.pid }, 'a standby worker is ready')
    return process.exited
  }
}
