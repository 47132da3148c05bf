import { mkdir, open, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '@lectern/common/make-folder'
import type { Shard, StoredFiles } from './orphans.ts'

const PART = '.part'
/** Distinguishes the folder of blobs from an empty mount point. */
const MARKER = 'lectern-blobs'
const BLOB_FILE = /^(b_[0-9a-f]{32})(?:\.part)?$/

/** Subfolders by the first two digits keep directories small and allow processing one at a time. */
export const SHARDS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'))

const shardOf = (id: string) => id.slice(2, 4)

/** The row of a file is created before it, so that a file without a row is an orphan at once. */
const NONE: ReadonlySet<string> = new Set()

/** The paths of blobs below a folder. It rejects ids of a foreign format. */
export class Layout implements StoredFiles {
  readonly folder: string
  readonly fileMode: number
  readonly #folderMode: number

  constructor(folder: string, isGroupReadable = false) {
    this.folder = folder
    this.fileMode = isGroupReadable ? 0o640 : 0o600
    this.#folderMode = isGroupReadable ? 0o750 : 0o700
  }

  path(id: string): string {
    return join(this.folder, this.pathInFolder(id))
  }

  pathInFolder(id: string): string {
    if (!BLOB_FILE.test(id)) throw new Error('not a blob id')
    return `${shardOf(id)}/${id}`
  }

  /** The file of an unfinished upload. */
  partPath(id: string): string {
    return this.path(id) + PART
  }

  async makeFolder(): Promise<void> {
    makeFolder(this.folder, this.#folderMode)
  }

  async writeMarker(): Promise<void> {
    await writeFile(join(this.folder, MARKER), '', { mode: 0o600 })
  }

  /** Throws when the marker is missing: then the disk is probably not mounted, and no file is lost. */
  async ensureMarker(): Promise<void> {
    if (await stat(join(this.folder, MARKER)).catch(nullIfMissing)) return
    throw new Error(`${this.folder} has no file ${MARKER}: is its disk mounted? If it is, create the file.`)
  }

  async makeShard(id: string): Promise<void> {
    await mkdir(dirname(this.path(id)), { recursive: true, mode: this.#folderMode })
  }

  /** Makes a new file name durable. */
  async syncShard(id: string): Promise<void> {
    for (const folder of [dirname(this.path(id)), this.folder]) {
      const handle = await open(folder)
      await handle.sync().finally(() => handle.close())
    }
  }

  async exists(id: string): Promise<boolean> {
    return (await stat(this.path(id)).catch(nullIfMissing)) !== null
  }

  /** Foreign files are ignored. */
  async *shards(): AsyncGenerator<Shard> {
    for (const digits of SHARDS) {
      const names = (await readdir(join(this.folder, digits)).catch(nullIfMissing)) ?? []
      const ids = new Set(names.flatMap(name => BLOB_FILE.exec(name)?.[1] ?? []))
      yield { digits, ids, recent: NONE }
    }
  }
}

/** Null for a missing file; rethrows other errors. */
export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
