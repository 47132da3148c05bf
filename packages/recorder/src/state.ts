import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How a recording ended: with the session, or stopped by a moderator. */
type EndStatus = 'completed' | 'stopped'

/** State needed to resume after a crash. */
export interface RecordingState {
  startedAtMs: number
  attempts: number
  /** When the capture ended; null while it runs. */
  end: { atMs: number; status: EndStatus } | null
}

const FILE = 'recording.json'

/** Null on the first attempt on this machine. */
export async function readState(folder: string): Promise<RecordingState | null> {
  try {
    return JSON.parse(await readFile(join(folder, FILE), 'utf8')) as RecordingState
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw err
  }
}

/** Atomic: the file is always the complete old or new version. */
export async function writeState(folder: string, state: RecordingState) {
  const file = join(folder, FILE)
  await writeFile(`${file}.new`, JSON.stringify(state), { flush: true })
  await rename(`${file}.new`, file)
}
