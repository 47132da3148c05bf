import { stat } from 'node:fs/promises'
import { type Layout, nullIfMissing, SHARDS } from './layout.ts'
import type { BlobIndex } from './ports.ts'

const ABANDONED_AFTER_S = 24 * 3600

/**
 * After the end of a job its blobs can no longer be added to a record; a request that was in progress at its end has
 * finished long before.
 */
const UNCLAIMED_AFTER_S = 24 * 3600

/** Per shard and sweep. */
const UNCLAIMED_AT_ONCE = 100

/** Ids of blobs that were not finished, were damaged from outside, or are unused. */
export interface Orphans {
  /** Uploads that nobody finished within a day. */
  abandoned: string[]
  /** Rows whose file is gone. */
  lost: string[]
  /** Files without a row. */
  stray: string[]
  /** Files of jobs that ended at least a day ago, without a record that contains them. */
  unclaimed: string[]
}

/** Compares files and rows, shard by shard. */
export async function findOrphans(layout: Layout, index: BlobIndex, now: number): Promise<Orphans> {
  const orphans: Orphans = { abandoned: [], lost: [], stray: [], unclaimed: [] }
  for (const shard of SHARDS) {
    // Files before rows: a row is created before its file, so a file without a row is an orphan.
    const files = await layout.idsIn(shard)
    const rows = await index.listByPrefix(`b_${shard}`)
    for (const { state, blob } of rows) {
      const { id, createdAt } = blob
      if (state === 'writing' && createdAt < now - ABANDONED_AFTER_S) orphans.abandoned.push(id)
      // The file of a row that has just become ready may have appeared after the listing.
      else if (state === 'ready' && !files.has(id) && !(await stat(layout.path(id)).catch(nullIfMissing)))
        orphans.lost.push(id)
      files.delete(id)
    }
    orphans.stray.push(...files)
    const before = now - UNCLAIMED_AFTER_S
    orphans.unclaimed.push(...(await index.listUnclaimed(`b_${shard}`, before, UNCLAIMED_AT_ONCE)))
  }
  return orphans
}
