import { mkdir, open, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const PART = '.part'
/** Tells a folder of blobs from the empty place where its disk should be mounted. */
const MARK = 'lectern-blobs'
const OURS = /^(b_[0-9a-f]{32})(?:\.part)?$/

/** One folder for each first two digits: no folder grows large, and one can be looked through at a time. */
export const SHARDS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'))

const shardOf = (id: string) => id.slice(2, 4)

/** Where the files of blobs are below one folder. Only ids that were made here lead to a path. */
export class Layout {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  path(id: string): string {
    if (!OURS.test(id)) throw new Error('not an id of a blob')
    return join(this.folder, shardOf(id), id)
  }

  /** The file that grows while bytes come in. */
  partPath(id: string): string {
    return this.path(id) + PART
  }

  async mark(): Promise<void> {
    await writeFile(join(this.folder, MARK), '', { mode: 0o600 })
  }

  /** Throws when this is not the folder that was marked: what is missing then is not lost. */
  async ensureMarked(): Promise<void> {
    if (await stat(join(this.folder, MARK)).catch(absent)) return
    throw new Error(`${this.folder} has no file ${MARK}: is its disk there? If it is, make the file.`)
  }

  async makeShard(id: string): Promise<void> {
    await mkdir(dirname(this.path(id)), { recursive: true, mode: 0o700 })
  }

  /** Makes a new name survive a power cut. */
  async syncShard(id: string): Promise<void> {
    for (const folder of [dirname(this.path(id)), this.folder]) {
      const handle = await open(folder)
      await handle.sync().finally(() => handle.close())
    }
  }

  /** Ids that have a file in a shard, whole or not. What is not ours is left alone. */
  async idsIn(shard: string): Promise<Set<string>> {
    const names = await readdir(join(this.folder, shard)).catch(absent)
    return new Set((names ?? []).flatMap(name => OURS.exec(name)?.[1] ?? []))
  }
}

/** Null for a file that is not there; other errors go on. */
export function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
