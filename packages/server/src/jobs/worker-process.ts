import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { relayLog } from './worker-log.ts'

export interface WorkerProgram {
  script: string
  /** Arguments of the script. Secrets go by `accessToken`: arguments and environment can be read by others. */
  args?: string[]
  env?: NodeJS.ProcessEnv
  /** Asked when the worker says `{ask: 'access_token', refused?: true}`; told as `{access_token}`. */
  accessToken: (refused: boolean) => Promise<string>
  /** Gets what the worker prints. */
  log: Logger
  readyWithinMs?: number
  stopWithinMs?: number
}

/** The worker has said that it cannot work on this machine, and why: to start it again is of no use. */
export class WorkerUnavailable extends Error {
  override name = 'WorkerUnavailable'
}

const READY_WITHIN_MS = 20_000
const STOP_WITHIN_MS = 10_000
const HEAR_WITHIN_MS = 1_000

/** A process of a worker, from its start to its end. What it prints goes to the log. */
export class WorkerProcess {
  /** Resolves when it has ended, asked to or not. */
  readonly died: Promise<Error>
  readonly #program: WorkerProgram
  readonly #child: ChildProcess
  #stopping: Promise<void> | null = null

  constructor(program: WorkerProgram, moreArgs: string[] = []) {
    const { script, args = [], env = process.env, log } = program
    this.#program = program
    this.#child = spawn(process.execPath, [script, ...args, ...moreArgs], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env,
    })
    const { stdout, stderr } = this.#child
    for (const output of [stdout, stderr]) if (output) relayLog(output, log)
    this.died = endOf(this.#child)
    this.#child.on('message', message => {
      if (isRecord(message) && message.ask === 'access_token') void this.#tellToken(message.refused === true)
    })
  }

  get pid(): number {
    return this.#child.pid as number
  }

  /**
   * Resolves when it says `{[word]: true}`. Rejects when it does not get that far, and then it has ended; with
   * WorkerUnavailable when it says `{unavailable: 'why'}`. `giveUp`: nobody wants it any more.
   */
  async says(word: 'ready' | 'standing_by', giveUp: AbortSignal): Promise<void> {
    const withinMs = this.#program.readyWithinMs ?? READY_WITHIN_MS
    const over = new AbortController()
    const { signal } = over
    const said = new Promise<Error | null>(resolve => {
      const hear = (message: unknown) => {
        if (!isRecord(message)) return
        if (message[word] === true) resolve(null)
        if (typeof message.unavailable === 'string') resolve(new WorkerUnavailable(message.unavailable))
      }
      this.#child.on('message', hear)
      signal.addEventListener('abort', () => this.#child.off('message', hear))
    })
    const late = sleep(withinMs, new Error(`the worker was not ready in ${withinMs} ms`), { signal })
    late.catch(() => {}) // it was in time
    const givenUp = new Promise<Error>(resolve => {
      const end = () => resolve(new Error('it is not wanted any more'))
      giveUp.addEventListener('abort', end, { once: true, signal })
      if (giveUp.aborted) end()
    })
    const failure = await Promise.race([said, this.died, late, givenUp])
    over.abort()
    if (!failure) return
    this.#child.kill('SIGKILL')
    await this.died
    throw failure
  }

  /** It may be gone by now. */
  tell(message: object): void {
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  /** Resolves when the process has ended: asked first, made to after a while. Safe to call twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    const withinMs = this.#program.stopWithinMs ?? STOP_WITHIN_MS
    const late = setTimeout(() => this.#child.kill('SIGKILL'), withinMs)
    await this.died
    clearTimeout(late)
  }

  /** Null: not now; the worker is to ask again later. */
  async #tellToken(refused: boolean): Promise<void> {
    this.tell({ access_token: await this.#program.accessToken(refused).catch(() => null) })
  }
}

const endOf = (child: ChildProcess) =>
  new Promise<Error>(resolve => {
    child.once('error', resolve)
    child.once('exit', (code, signal) => {
      const leave = () => resolve(new Error(`the worker left (${signal ?? code})`))
      if (!child.connected) return leave()
      child.once('disconnect', leave) // what it said last is heard before
      setTimeout(leave, HEAR_WITHIN_MS).unref()
    })
  })

const isRecord = (message: unknown): message is Record<string, unknown> =>
  typeof message === 'object' && message !== null
