import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Logger } from 'pino'
import { BackOff } from '../../records/jobs/back-off.ts'

interface CoturnOptions {
  /** The configuration file. It contains secrets, which arguments would show to other users of the machine. */
  file: string
  log: Logger
  restartAfterMs?: number
}

const RESTART_DELAY_MS = 500
const STOP_TIMEOUT_MS = 3_000
const LAST_LINES = 5

/** Runs coturn and starts it again when it exits. Its failures are logged and never stop the server. */
export class Coturn {
  readonly #options: CoturnOptions
  readonly #backOff: BackOff
  #child: ChildProcess | null = null
  /** The last one that was ended on purpose. */
  #ending: ChildProcess | null = null
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #restarts = 0

  constructor(options: CoturnOptions) {
    this.#options = options
    this.#backOff = new BackOff(options.restartAfterMs ?? RESTART_DELAY_MS)
  }

  /** Starts the process with the present configuration file, in place of a running one, with which its relays end. */
  async start(): Promise<void> {
    await this.#end()
    if (this.#isStopped) return
    this.#launch()
  }

  get isRunning(): boolean {
    return this.#child !== null
  }

  get restarts(): number {
    return this.#restarts
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Safe to call twice. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#end()
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer)
    const child = this.#child
    if (!child) return
    this.#ending = child
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await exited
    clearTimeout(late)
  }

  #launch(): void {
    const { file, log } = this.#options
    const begunAt = performance.now()
    const child = spawn('turnserver', ['-c', file], { stdio: ['ignore', 'pipe', 'pipe'] })
    const output: string[] = []
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', line => {
        output.push(line)
        if (output.length > LAST_LINES) output.shift()
        log.debug({ line }, 'output of coturn')
      })
    if (child.pid !== undefined) {
      this.#child = child
      log.info({ pid: child.pid }, 'coturn started')
    }
    child.once('error', error => {
      if (child.pid !== undefined) return
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      log.error(
        { err: error },
        isMissing ? 'coturn is not installed: [Turn] Embedded has no effect' : 'coturn cannot be started',
      )
      if (!isMissing) this.#restart(0)
    })
    child.once('exit', (code, signal) => {
      this.#child = null
      if (this.#ending === child) return
      const waitMs = this.#restart(performance.now() - begunAt)
      log.error({ code, signal, output, restart_in_ms: waitMs }, 'coturn exited and is restarted')
    })
  }

  #restart(uptimeMs: number): number {
    const waitMs = this.#backOff.next(uptimeMs)
    this.#restarts++
    this.#timer = setTimeout(() => this.#launch(), waitMs)
    return waitMs
  }
}
