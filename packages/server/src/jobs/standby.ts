import type { Logger } from 'pino'
import type { BackOff } from './back-off.ts'
import { WorkerProcess, type WorkerProgram } from './worker-process.ts'

interface StandbyParts {
  /** For the log. */
  name: string
  program: WorkerProgram
  log: Logger
  backOff: BackOff
}

/**
 * A second process of a worker, which has loaded everything and stands by. To start a process takes a busy machine
 * seconds; to tell one to begin takes it a fraction of one.
 */
export class Standby {
  readonly #parts: StandbyParts
  #process: WorkerProcess | null = null
  #timer: NodeJS.Timeout | undefined
  readonly #unwanted = new AbortController()

  constructor(parts: StandbyParts) {
    this.#parts = parts
  }

  /** Whether there is one, be it still loading. */
  get isThere(): boolean {
    return this.#process !== null
  }

  /** Sees to it that there will be one, after a while. */
  prepare(afterMs: number): void {
    clearTimeout(this.#timer)
    if (this.#unwanted.signal.aborted || this.#process) return
    this.#timer = setTimeout(() => void this.#keep(), afterMs)
  }

  /** Tells it to begin, and leaves it to the caller; null when there is none. */
  take(): WorkerProcess | null {
    clearTimeout(this.#timer)
    const taken = this.#process
    this.#process = null
    taken?.tell({ begin: true })
    return taken
  }

  /** Safe to call twice. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#unwanted.abort()
    await this.#process?.stop()
  }

  /** From the start to the end, or until it is taken. */
  async #keep(): Promise<void> {
    const { name, program, log, backOff } = this.#parts
    const startedAt = performance.now()
    const process = new WorkerProcess(program, ['--stand-by'])
    this.#process = process
    const reason = await this.#endOf(process)
    if (this.#process !== process || this.#unwanted.signal.aborted) return
    this.#process = null
    const waitMs = backOff.next(performance.now() - startedAt)
    log.error({ worker: name, err: reason, restart_in_ms: waitMs }, 'a worker that stood by died')
    this.prepare(waitMs)
  }

  async #endOf(process: WorkerProcess): Promise<Error> {
    const { name, log } = this.#parts
    try {
      await process.says('standing_by', this.#unwanted.signal)
    } catch (error) {
      return error as Error
    }
    log.info({ worker: name, pid: process.pid }, 'a worker stands by')
    return process.died
  }
}
