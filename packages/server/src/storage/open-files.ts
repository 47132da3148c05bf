import { type FileHandle, open } from 'node:fs/promises'

/** Players and resumed downloads ask for one range after another. */
const LINGER_MS = 1000

/** Of more files at once, none stays open longer than it is read. */
const LINGERING_MAX = 256

export interface OpenFile {
  handle: FileHandle
  /** To be called once. The file may stay open for others. */
  release(): void
}

interface Entry {
  handle: Promise<FileHandle>
  users: number
}

/** Files that never change, each open once for all who read it, and a moment longer. */
export class OpenFiles {
  readonly #entries = new Map<string, Entry>()

  /** Throws what opening the file throws. */
  async open(path: string): Promise<OpenFile> {
    const entry = this.#entries.get(path) ?? this.#add(path)
    entry.users++
    const release = () => this.#release(path, entry)
    try {
      return { handle: await entry.handle, release: () => this.#linger(release) }
    } catch (error) {
      release()
      throw error
    }
  }

  #add(path: string): Entry {
    const entry = { handle: open(path), users: 0 }
    this.#entries.set(path, entry)
    return entry
  }

  #linger(release: () => void): void {
    if (this.#entries.size > LINGERING_MAX) release()
    else setTimeout(release, LINGER_MS).unref()
  }

  #release(path: string, entry: Entry): void {
    if (--entry.users > 0) return
    this.#entries.delete(path)
    entry.handle.then(handle => handle.close()).catch(() => {}) // it was not there, or there is nothing to lose
  }
}
