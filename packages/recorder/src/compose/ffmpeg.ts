import { spawn } from 'node:child_process'
import { isNoRoom } from '@lectern/worker-kit'

/** How a program that failed is told: the end of what it said, without what it read. */
const SAID_MAX = 2000

export interface Run {
  cwd: string
  /** The call goes on: everything else on this machine comes first. */
  isLive: boolean
  signal: AbortSignal
}

/** Pictures are kept in memory that is used again: to give each one back takes the kernel as long as to decode it. */
const ENVIRONMENT = { MALLOC_MMAP_THRESHOLD_: '33554432', MALLOC_TRIM_THRESHOLD_: '134217728' }

/** A chunk takes seconds. What takes minutes hangs. */
const TOO_LONG_MS = 300_000

/**
 * Runs ffmpeg at low priority. Live work waits for its turn, one at a time on this machine: it must not harm the
 * calls. What a finished call waits for does not queue behind it.
 */
export class Ffmpeg {
  #turn: Promise<unknown> = Promise.resolve()
  /** Seconds that were spent, by the wall. */
  seconds = 0

  constructor(private readonly niceness = { live: 19, after: 5 }) {}

  run(args: string[], run: Run): Promise<void> {
    if (!run.isLive) return this.#run(args, run)
    const turn = this.#turn.then(() => this.#run(args, run))
    this.#turn = turn.catch(() => {})
    return turn
  }

  async #run(args: string[], { cwd, isLive, signal }: Run) {
    signal.throwIfAborted()
    const began = performance.now()
    const niceness = String(isLive ? this.niceness.live : this.niceness.after)
    const quiet = ['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'error', '-y']
    const child = spawn('nice', ['-n', niceness, 'ffmpeg', ...quiet, ...args], {
      cwd,
      env: { ...process.env, ...ENVIRONMENT },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
      timeout: TOO_LONG_MS,
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-SAID_MAX)
    })
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, by) => {
        // It may say that the disk is full, leave half a file, and end as if all were well.
        if (code === 0 && !isNoRoom(said)) resolve()
        else reject(new Error(`ffmpeg ended with ${by ?? code}: ${said.trim()}`))
      })
    })
    this.seconds += (performance.now() - began) / 1000
  }
}
