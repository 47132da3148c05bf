import { createHash } from 'node:crypto'
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from './disk-space.ts'
import type { UploadFile } from './ports.ts'

/** Read at a time to hash a file. */
const HASHED_BYTES = 512 * 1024

/** Upload state of one file. */
export interface Entry {
  size: number
  changedMs: number
  sha256: string
  /** Id at the server, once the upload was created. */
  uploadId?: string
  isStored?: true
}

/** Upload state of a job, stored in its folder so that another process can resume. */
export class UploadLedger {
  readonly #file: string
  readonly #entries: Map<string, Entry>

  private constructor(file: string, entries: Map<string, Entry>) {
    this.#file = file
    this.#entries = entries
  }

  static async open(folder: string): Promise<UploadLedger> {
    const file = join(folder, 'uploads.json')
    const text = await readFile(file, 'utf8').catch(() => '{}')
    return new UploadLedger(file, new Map(Object.entries(parse(text))))
  }

  /** The entry of the file in its current version; a modified file gets a new entry. */
  async entryFor({ file, path }: UploadFile, signal: AbortSignal): Promise<Entry> {
    const { size, mtimeMs: changedMs } = await stat(file)
    const known = this.#entries.get(path)
    if (known && known.size === size && known.changedMs === changedMs) return known
    const entry = { size, changedMs, sha256: await sha256Of(file, signal) }
    await this.save(path, entry)
    return entry
  }

  /** On a full disk the state is kept in memory only: uploading is what frees space. */
  async save(path: string, entry: Entry): Promise<void> {
    this.#entries.set(path, entry)
    const unfinished = `${this.#file}.part`
    try {
      await writeFile(unfinished, JSON.stringify(Object.fromEntries(this.#entries)))
      await rename(unfinished, this.#file)
    } catch (error) {
      if (!isDiskFull(error)) throw error
    }
  }
}

/** A damaged ledger only costs a repeated upload. */
function parse(text: string): Record<string, Entry> {
  try {
    return JSON.parse(text) as Record<string, Entry>
  } catch {
    return {}
  }
}

async function sha256Of(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const handle = await open(file)
  try {
    // The same buffer for the whole file: a recording of hours would leave gigabytes of them to the garbage collector.
    const buffer = Buffer.allocUnsafe(HASHED_BYTES)
    for (let read = await handle.read(buffer); read.bytesRead > 0; read = await handle.read(buffer)) {
      signal.throwIfAborted()
      hash.update(buffer.subarray(0, read.bytesRead))
    }
    return hash.digest('hex')
  } finally {
    await handle.close()
  }
}
