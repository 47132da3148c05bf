import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nowMs } from './clock/now.ts'

interface RecordingEnd {
  atMs: number
  /** How it ended: with the session, or stopped by a moderator. */
  status: 'completed' | 'stopped'
}

interface StoredState {
  startedAtMs: number
  attempts: number
  end: RecordingEnd | null
}

const FILE = 'recording.json'

/** `recording.json`: what an attempt needs in order to resume after a crash. */
export class RecordingState {
  readonly startedAtMs: number
  readonly attempts: number
  /** When the capture ended; null while it runs. */
  end: RecordingEnd | null
  readonly #folder: string

  private constructor(folder: string, { startedAtMs, attempts, end }: StoredState) {
    this.#folder = folder
    this.startedAtMs = startedAtMs
    this.attempts = attempts
    this.end = end
  }

  /** The state of the next attempt, not saved yet. */
  static async open(folder: string): Promise<RecordingState> {
    const before = (await read(folder)) ?? { startedAtMs: Math.floor(nowMs()), attempts: 0, end: null }
    return new RecordingState(folder, { ...before, attempts: before.attempts + 1 })
  }

  /** End of the capture, or now while it runs. */
  get endMs(): number {
    return this.end?.atMs ?? nowMs()
  }

  /** Atomic: the file is always the complete old or new version. */
  async save(): Promise<void> {
    const { startedAtMs, attempts, end } = this
    const file = join(this.#folder, FILE)
    await writeFile(`${file}.new`, JSON.stringify({ startedAtMs, attempts, end }), { flush: true })
    await rename(`${file}.new`, file)
  }
}

/** Null on the first attempt on this machine. */
async function read(folder: string): Promise<StoredState | null> {
  try {
    return JSON.parse(await readFile(join(folder, FILE), 'utf8')) as StoredState
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw err
  }
}
