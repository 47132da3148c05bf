import { type FileHandle, open } from 'node:fs/promises'

/** Players and resumed downloads request one range after another. */
const LINGER_MS = 1000

/** Above this number of open files, each is closed when its last reader is done. */
const LINGERING_MAX = 256

export interface OpenFile {
  handle: FileHandle
  /** Call it once. The file may stay open for other readers. */
  release(): void
}

interface Entry {
  handle: Promise<FileHandle>
  users: number
}

/** Shares file handles of immutable files between readers, and keeps them open for a moment. */
export class OpenFiles {
  readonly #entries = new Map<string, Entry>()

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
    entry.handle.then(handle => handle.close()).catch(() => {}) // opening failed, or closing a read-only handle did
  }
}
