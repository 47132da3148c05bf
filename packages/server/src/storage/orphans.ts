import { stat } from 'node:fs/promises'
import { absent, type Layout, SHARDS } from './layout.ts'
import type { BlobIndex } from './ports.ts'

const ABANDONED_AFTER_S = 24 * 3600

/** Ids of what is left over when a blob was not finished, or was harmed from outside. */
export interface Orphans {
  /** Uploads that nobody finished within a day. */
  abandoned: string[]
  /** Rows whose file is gone. */
  lost: string[]
  /** Files without a row. */
  stray: string[]
}

/** Compares files and rows, shard by shard. */
export async function findOrphans(layout: Layout, index: BlobIndex, now: number): Promise<Orphans> {
  const orphans: Orphans = { abandoned: [], lost: [], stray: [] }
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
  }
  return orphans
}
