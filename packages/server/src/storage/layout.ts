import { mkdir, open, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const PART = '.part'
/** Distinguishes the folder of blobs from an empty mount point. */
const MARKER = 'lectern-blobs'
const BLOB_FILE = /^(b_[0-9a-f]{32})(?:\.part)?$/

/** Subfolders by the first two digits keep directories small and allow processing one at a time. */
export const SHARDS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'))

const shardOf = (id: string) => id.slice(2, 4)

/** The paths of blobs below a folder. It rejects ids of a foreign format. */
export class Layout {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  path(id: string): string {
    if (!BLOB_FILE.test(id)) throw new Error('not a blob id')
    return join(this.folder, shardOf(id), id)
  }

  /** The file of an unfinished upload. */
  partPath(id: string): string {
    return this.path(id) + PART
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
    await mkdir(dirname(this.path(id)), { recursive: true, mode: 0o700 })
  }

  /** Makes a new file name durable. */
  async syncShard(id: string): Promise<void> {
    for (const folder of [dirname(this.path(id)), this.folder]) {
      const handle = await open(folder)
      await handle.sync().finally(() => handle.close())
    }
  }

  /** Ids with a file in a shard, finished or not. Foreign files are ignored. */
  async idsIn(shard: string): Promise<Set<string>> {
    const names = await readdir(join(this.folder, shard)).catch(nullIfMissing)
    return new Set((names ?? []).flatMap(name => BLOB_FILE.exec(name)?.[1] ?? []))
  }
}

/** Null for a missing file; rethrows other errors. */
export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
