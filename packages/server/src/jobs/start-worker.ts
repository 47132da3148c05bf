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

export interface RunningWorker {
  pid: number
  /** Resolves when the process has ended: asked first, made to after a while. Safe to call twice. */
  stop(): Promise<void>
}

/** The worker has said that it cannot work on this machine, and why: to start it again is of no use. */
export class WorkerUnavailable extends Error {
  override name = 'WorkerUnavailable'
}

const READY_WITHIN_MS = 20_000
const STOP_WITHIN_MS = 10_000
const HEAR_WITHIN_MS = 1_000

/**
 * Resolves when the worker says `{ready: true}`; rejects if it never gets that far, with WorkerUnavailable when it
 * says `{unavailable: 'why'}`. What it prints goes to the log. `onDeath` hears of an end that came later and was not
 * asked for. `giveUp`: nobody wants the worker any more, before it was ready.
 */
export async function startWorker(
  program: WorkerProgram,
  onDeath: (reason: Error) => void,
  giveUp?: AbortSignal,
): Promise<RunningWorker> {
  const { script, args = [], env = process.env, readyWithinMs = READY_WITHIN_MS } = program
  const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const
  const child = spawn(process.execPath, [script, ...args], { stdio: [...stdio], env })
  for (const output of [child.stdout, child.stderr]) if (output) relayLog(output, program.log)
  const died = new Promise<Error>(resolve => {
    child.once('error', resolve)
    child.once('exit', (code, signal) => {
      const leave = () => resolve(new Error(`the worker left (${signal ?? code})`))
      if (!child.connected) return leave()
      child.once('disconnect', leave) // what it said last is heard before
      setTimeout(leave, HEAR_WITHIN_MS).unref()
    })
  })
  const ready = new Promise<Error | null>(resolve => {
    child.on('message', message => {
      if (!isRecord(message)) return
      if (message.ready === true) resolve(null)
      if (typeof message.unavailable === 'string') resolve(new WorkerUnavailable(message.unavailable))
      if (message.ask === 'access_token') void tellToken(child, program, message.refused === true)
    })
  })

  const tooLong = new AbortController()
  const late = sleep(readyWithinMs, new Error(`the worker was not ready in ${readyWithinMs} ms`), {
    signal: tooLong.signal,
  })
  late.catch(() => {}) // it was in time
  const givenUp = new Promise<Error>(resolve =>
    giveUp?.addEventListener('abort', () => resolve(new Error('it is not wanted any more')), { once: true }),
  )
  const failure = await Promise.race([ready, died, late, givenUp])
  tooLong.abort()
  if (failure) {
    child.kill('SIGKILL')
    await died
    throw failure
  }

  let stopping: Promise<void> | null = null
  void died.then(reason => stopping ?? onDeath(reason))
  const stop = () => (stopping ??= end(child, died, program.stopWithinMs ?? STOP_WITHIN_MS))
  return { pid: child.pid as number, stop }
}

async function end(child: ChildProcess, died: Promise<Error>, withinMs: number): Promise<void> {
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), withinMs)
  await died
  clearTimeout(late)
}

/** Null: not now; the worker is to ask again later. */
async function tellToken(
  child: ChildProcess,
  { accessToken }: WorkerProgram,
  refused: boolean,
): Promise<void> {
  const token = await accessToken(refused).catch(() => null)
  if (child.connected) child.send({ access_token: token }, () => {}) // it may be gone by now
}

const isRecord = (message: unknown): message is Record<string, unknown> =>
  typeof message === 'object' && message !== null
