import { spawn } from 'node:child_process'
import { isDiskFull } from '@lectern/worker-kit'

/** Length of the error output that is reported. */
const STDERR_MAX = 2000

export interface RunOptions {
  cwd: string
  /** During a call, ffmpeg runs at the lowest priority. */
  isLive: boolean
  signal: AbortSignal
  /** The length of what it reads, where that is more than a chunk. */
  mediaMs?: number
}

/** Makes malloc reuse frame buffers: returning them to the kernel costs as much as decoding. */
const ENVIRONMENT = { MALLOC_MMAP_THRESHOLD_: '33554432', MALLOC_TRIM_THRESHOLD_: '134217728' }

/** A chunk takes seconds; a process that computes for minutes hangs, and one that reads for longer than its media lasts. */
const CPU_MAX_MS = 300_000
/** On the clock, because others may leave the lowest priority next to nothing for minutes. */
const TIMEOUT_MS = 3_600_000

/**
 * Runs ffmpeg at low priority. Work during calls is serialised so that it does not affect them; work after a call does not
 * queue behind it.
 */
export class Ffmpeg {
  #liveQueue: Promise<unknown> = Promise.resolve()
  /** Wall-clock seconds spent. */
  seconds = 0
  readonly #niceness
  readonly #cpuMaxMs: number

  constructor(niceness = { live: 19, after: 5 }, cpuMaxMs = CPU_MAX_MS) {
    this.#niceness = niceness
    this.#cpuMaxMs = cpuMaxMs
  }

  run(args: string[], run: RunOptions): Promise<void> {
    if (!run.isLive) return this.#run(args, run)
    const queued = this.#liveQueue.then(() => this.#run(args, run))
    this.#liveQueue = queued.catch(() => {})
    return queued
  }

  async #run(args: string[], { cwd, isLive, signal, mediaMs = 0 }: RunOptions) {
    signal.throwIfAborted()
    const began = performance.now()
    const niceness = String(isLive ? this.#niceness.live : this.#niceness.after)
    const quiet = ['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'error', '-y']
    // Frames that cannot be decoded are left out, however many they are.
    const lenient = ['-max_error_rate', '1']
    const limit = ['-timelimit', String(Math.ceil((this.#cpuMaxMs + mediaMs) / 1000))]
    const child = spawn('nice', ['-n', niceness, 'ffmpeg', ...quiet, ...lenient, ...limit, ...args], {
      cwd,
      env: { ...process.env, ...ENVIRONMENT },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
      timeout: TIMEOUT_MS + mediaMs,
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_MAX)
    })
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, by) => {
        // On a full disk it may exit with 0 and leave a truncated file.
        if (code === 0 && !isDiskFull(stderr)) resolve()
        else reject(new Error(`ffmpeg ended with ${by ?? code}: ${stderr.trim()}`))
      })
    })
    this.seconds += (performance.now() - began) / 1000
  }
}
