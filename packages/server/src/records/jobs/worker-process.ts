import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { forwardLog } from './worker-log.ts'

export interface WorkerProgram {
  script: string
  /** MUST NOT contain secrets, as other users can read arguments and environment; see `accessToken`. */
  args?: string[]
  env?: NodeJS.ProcessEnv
  /** Called on the IPC message `{request: 'access_token', refused?: true}`; the reply is `{access_token}`. */
  accessToken: (refused: boolean) => Promise<string>
  /** Receives the worker's output. */
  log: Logger
  readyTimeoutMs?: number
  stopTimeoutMs?: number
}

/** The worker reported that it cannot run on this machine, so restarting it is useless. */
export class WorkerUnavailable extends Error {
  override name = 'WorkerUnavailable'
}

const READY_TIMEOUT_MS = 20_000
const STOP_TIMEOUT_MS = 10_000
const LAST_MESSAGE_TIMEOUT_MS = 1_000

/** A worker process with IPC. Its output is logged. */
export class WorkerProcess {
  /** Resolves when the process has exited, for whatever reason. */
  readonly exited: Promise<Error>
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
    for (const output of [stdout, stderr]) if (output) forwardLog(output, log)
    this.exited = exitOf(this.#child)
    this.#child.on('message', message => {
      if (isRecord(message) && message.request === 'access_token')
        void this.#sendToken(message.refused === true)
    })
  }

  get pid(): number {
    return this.#child.pid as number
  }

  /**
   * Resolves on the IPC message `{[word]: true}`. Otherwise it kills the process and rejects: with WorkerUnavailable on
   * `{unavailable: 'why'}`, or `giveUp` aborts.
   */
  async waitFor(word: 'ready' | 'standby', giveUp: AbortSignal): Promise<void> {
    const withinMs = this.#program.readyTimeoutMs ?? READY_TIMEOUT_MS
    const over = new AbortController()
    const { signal } = over
    const answered = new Promise<Error | null>(resolve => {
      const onMessage = (message: unknown) => {
        if (!isRecord(message)) return
        if (message[word] === true) resolve(null)
        if (typeof message.unavailable === 'string') resolve(new WorkerUnavailable(message.unavailable))
      }
      this.#child.on('message', onMessage)
      signal.addEventListener('abort', () => this.#child.off('message', onMessage))
    })
    const late = sleep(withinMs, new Error(`the worker was not ready in ${withinMs} ms`), { signal })
    late.catch(() => {}) // raced; not needed when it loses
    const givenUp = new Promise<Error>(resolve => {
      const end = () => resolve(new Error('the worker is no longer needed'))
      giveUp.addEventListener('abort', end, { once: true, signal })
      if (giveUp.aborted) end()
    })
    const failure = await Promise.race([answered, this.exited, late, givenUp])
    over.abort()
    if (!failure) return
    this.#child.kill('SIGKILL')
    await this.exited
    throw failure
  }

  /** Does nothing when the process has exited. */
  send(message: object): void {
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  /** Sends SIGTERM, and SIGKILL after a timeout. Resolves when the process has exited. Safe to call twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    const withinMs = this.#program.stopTimeoutMs ?? STOP_TIMEOUT_MS
    const late = setTimeout(() => this.#child.kill('SIGKILL'), withinMs)
    await this.exited
    clearTimeout(late)
  }

  /** Sends null when there is no token now; the worker requests one again later. */
  async #sendToken(refused: boolean): Promise<void> {
    this.send({ access_token: await this.#program.accessToken(refused).catch(() => null) })
  }
}

const exitOf = (child: ChildProcess) =>
  new Promise<Error>(resolve => {
    child.once('error', resolve)
    child.once('exit', (code, signal) => {
      const leave = () => resolve(new Error(`the worker exited (${signal ?? code})`))
      if (!child.connected) return leave()
      child.once('disconnect', leave) // its last messages arrive before
      setTimeout(leave, LAST_MESSAGE_TIMEOUT_MS).unref()
    })
  })

const isRecord = (message: unknown): message is Record<string, unknown> =>
  typeof message === 'object' && message !== null
