import type { BlobIndex } from '../stores/blobs.ts'
import type { Orphans } from './ports.ts'

const ABANDONED_AFTER_S = 24 * 3600

/**
 * After the end of a job its blobs can no longer be added to a record; a request that was in progress at its end has
 * finished long before.
 */
const UNCLAIMED_AFTER_S = 24 * 3600

/** Per shard and sweep. */
const UNCLAIMED_AT_ONCE = 100

/** Ids of files, finished or not, that begin with these two digits. */
export interface Shard {
  digits: string
  ids: Set<string>
  /** Those too new to be orphans when they have no row. */
  recent: ReadonlySet<string>
}

/** The files of a store. */
export interface StoredFiles {
  /** All shards, also empty ones. */
  shards(): AsyncIterable<Shard>
  /** Whether the file of a finished blob exists. */
  exists(id: string): Promise<boolean>
}

/** Compares files and rows, shard by shard. */
export async function findOrphans(files: StoredFiles, index: BlobIndex, now: number): Promise<Orphans> {
  const orphans: Orphans = { abandoned: [], lost: [], stray: [], unclaimed: [] }
  for await (const { digits, ids, recent } of files.shards()) {
    // Files before rows: a row is created before its file, so a file without a row is an orphan.
    const rows = await index.listByPrefix(`b_${digits}`)
    for (const { state, blob } of rows) {
      const { id, createdAt } = blob
      if (state === 'removing' || (state === 'writing' && createdAt < now - ABANDONED_AFTER_S))
        orphans.abandoned.push(id)
      // The file of a row that has just become ready may have appeared after the listing.
      else if (state === 'ready' && !ids.has(id) && !(await files.exists(id))) orphans.lost.push(id)
      ids.delete(id)
    }
    orphans.stray.push(...[...ids].filter(id => !recent.has(id)))
    const before = now - UNCLAIMED_AFTER_S
    orphans.unclaimed.push(...(await index.listUnclaimed(`b_${digits}`, before, UNCLAIMED_AT_ONCE)))
  }
  return orphans
}
