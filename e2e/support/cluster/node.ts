import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Exit, Program } from '../child-program.ts'

export interface NodeOptions {
  name: string
  /** Of Node.js; asked for at each start. */
  args: () => string[]
  env: Record<string, string>
  /** Also for its log, `log.jsonl`. */
  cwd: string
  /** Matches standard output, or else standard error, when it is ready. */
  isReady: RegExp
  /** Restarts it when it ends by itself or is killed by hand, this often at most. */
  restarts?: number
  onLine?: (line: string) => void
}

const RESTART_AFTER_MS = 1_000
const READY_WITHIN_MS = 150_000

/** A program of the cluster, which can be killed and started again with the same settings. */
export class ClusterNode {
  readonly name: string
  readonly #options: NodeOptions
  #program: Program | null = null
  #restarts = 0
  #isWanted = false

  constructor(options: NodeOptions) {
    this.name = options.name
    this.#options = options
  }

  get pid(): number | null {
    return this.isRunning ? (this.#program?.pid ?? null) : null
  }

  get isRunning(): boolean {
    return this.#program !== null && this.#program.exit === null
  }

  get log(): string {
    return this.#program?.stderr ?? ''
  }

  /** Resolves when it is ready; throws with the end of its log if it ends before. */
  async start(): Promise<void> {
    const { args, cwd, env, isReady } = this.#options
    this.#isWanted = true
    const onLog = (text: string) => appendFileSync(join(cwd, 'log.jsonl'), text)
    const program = new Program(process.execPath, args(), { cwd, env, onLog })
    this.#program = program
    void program.ended.then(exit => this.#onExit(program, exit))
    const until = Date.now() + READY_WITHIN_MS
    while (!isReady.test(program.stdout + program.stderr)) {
      if (program.exit) throw new Error(`${this.name} did not start:\n${lastLines(program.stderr)}`)
      if (Date.now() > until)
        throw new Error(`${this.name} was not ready in time:\n${lastLines(program.stderr)}`)
      await sleep(20)
    }
    this.#options.onLine?.(`${this.name} runs, pid ${program.pid}`)
  }

  /** kill -9 of the process and its children, as the loss of the machine; it stays away until `start`. */
  async kill(): Promise<void> {
    this.#isWanted = false
    await this.#program?.kill('SIGKILL')
  }

  /** Lets the process hang, without its children, until `resume`. */
  suspend(): void {
    if (this.pid) process.kill(this.pid, 'SIGSTOP')
  }

  resume(): void {
    if (this.pid) process.kill(this.pid, 'SIGCONT')
  }

  /** Asks it to end, and waits. */
  async stop(): Promise<void> {
    this.#isWanted = false
    await this.#program?.kill('SIGTERM')
  }

  #onExit(program: Program, { code, signal }: Exit): void {
    if (!this.#isWanted || program !== this.#program) return
    const { restarts = 0, onLine } = this.#options
    onLine?.(`${this.name} ended (${signal ?? `exit code ${code}`})`)
    if (restarts === 0) return
    if (this.#restarts++ >= restarts) {
      onLine?.(`${this.name} is not started again: it ended ${restarts} times`)
      return
    }
    setTimeout(() => this.#restart(), RESTART_AFTER_MS)
  }

  #restart(): void {
    if (!this.#isWanted || this.isRunning) return
    this.start().catch(error => this.#options.onLine?.(String(error.message)))
  }
}

const lastLines = (log: string) => log.split('\n').slice(-15).join('\n')
