import { stat } from 'node:fs/promises'
import { absent, type Layout, SHARDS } from './layout.ts'
import type { BlobIndex } from './ports.ts'

const ABANDONED_AFTER_S = 24 * 3600

/**
 * A job that is over is nobody's any more, so that its blobs cannot be claimed. Whoever was claiming them at that
 * moment has been through for long.
 */
const UNCLAIMED_AFTER_S = 24 * 3600

/** Of each shard in one sweep; the rest is the next one's. */
const UNCLAIMED_AT_ONCE = 100

/** Ids of what is left over when a blob was not finished, was harmed from outside, or is of no use any more. */
export interface Orphans {
  /** Uploads that nobody finished within a day. */
  abandoned: string[]
  /** Rows whose file is gone. */
  lost: string[]
  /** Files without a row. */
  stray: string[]
  /** Files that a job brought which ended a day ago or more, without a record that names them. */
  unclaimed: string[]
}

/** Compares files and rows, shard by shard. */
export async function findOrphans(layout: Layout, index: BlobIndex, now: number): Promise<Orphans> {
  const orphans: Orphans = { abandoned: [], lost: [], stray: [], unclaimed: [] }
  for (const shard of SHARDS) {
    // Files before rows: a row is made before its file, so a file without one is nobody's.
    const files = await layout.idsIn(shard)
    const rows = await index.listByPrefix(`b_${shard}`)
    for (const { state, blob } of rows) {
      const { id, createdAt } = blob
      if (state === 'writing' && createdAt < now - ABANDONED_AFTER_S) orphans.abandoned.push(id)
      // The file of a row that has just become ready may have come after our look.
      else if (state === 'ready' && !files.has(id) && !(await stat(layout.path(id)).catch(absent)))
        orphans.lost.push(id)
      files.delete(id)
    }
    orphans.stray.push(...files)
    const before = now - UNCLAIMED_AFTER_S
    orphans.unclaimed.push(...(await index.listUnclaimed(`b_${shard}`, before, UNCLAIMED_AT_ONCE)))
  }
  return orphans
}
