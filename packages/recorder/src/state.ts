import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How a recording ended (contract §3.2): by itself, or because a moderator wanted it. */
type EndStatus = 'completed' | 'stopped'

/** What must be known to go on after a kill. */
export interface RecordingState {
  startedAtMs: number
  attempts: number
  /** When the capture ended; null: it goes on. */
  end: { atMs: number; status: EndStatus } | null
}

const FILE = 'recording.json'

/** Null: this is the first attempt on this machine. */
export async function readState(folder: string): Promise<RecordingState | null> {
  try {
    return JSON.parse(await readFile(join(folder, FILE), 'utf8')) as RecordingState
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw err
  }
}

/** The file is the former or the new one whole, whatever happens. */
export async function writeState(folder: string, state: RecordingState) {
  const file = join(folder, FILE)
  await writeFile(`${file}.new`, JSON.stringify(state), { flush: true })
  await rename(`${file}.new`, file)
}
