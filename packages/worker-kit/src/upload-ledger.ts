import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadFile } from './ports.ts'
import { isNoRoom } from './room.ts'

/** What is known of a file's way to the server. */
export interface Entry {
  size: number
  changedMs: number
  sha256: string
  /** Its name at the server, as soon as the upload was begun there. */
  uploadId?: string
  isStored?: true
}

/** How far the uploads of a job have come; kept in its folder, so that another process can go on. */
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

  /** The entry of the file as it is now: one that has changed since is another file. */
  async entryOf({ file, path }: UploadFile, signal: AbortSignal): Promise<Entry> {
    const { size, mtimeMs: changedMs } = await stat(file)
    const known = this.#entries.get(path)
    if (known && known.size === size && known.changedMs === changedMs) return known
    const entry = { size, changedMs, sha256: await sha256Of(file, signal) }
    await this.save(path, entry)
    return entry
  }

  /** On a full disk only for this process: uploading is what makes room on it. */
  async save(path: string, entry: Entry): Promise<void> {
    this.#entries.set(path, entry)
    const unfinished = `${this.#file}.part`
    try {
      await writeFile(unfinished, JSON.stringify(Object.fromEntries(this.#entries)))
      await rename(unfinished, this.#file)
    } catch (error) {
      if (!isNoRoom(error)) throw error
    }
  }
}

/** A ledger that was harmed costs another upload, no more. */
function parse(text: string): Record<string, Entry> {
  try {
    return JSON.parse(text) as Record<string, Entry>
  } catch {
    return {}
  }
}

async function sha256Of(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { signal, highWaterMark: 1024 * 1024 })) hash.update(chunk)
  return hash.digest('hex')
}
