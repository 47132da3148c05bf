import { PAGE_DEFAULT } from '@lectern/protocol'

export interface Page {
  /** Only rows older than this one. */
  before?: number | undefined
  limit: number
}

/** One page of a list. It reads a row more than it returns, to know whether others follow. */
export async function readPage<Row>(
  query: { before?: string; limit?: string },
  list: (page: Page) => Promise<Row[]>,
  idOf: (row: Row) => number,
): Promise<{ rows: Row[]; next: string | null }> {
  const limit = Number(query.limit ?? PAGE_DEFAULT)
  const before = query.before === undefined ? undefined : Number(query.before)
  const found = await list({ before, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: found.length > limit && last !== undefined ? String(idOf(last)) : null }
}

/** An empty search finds everything. */
export const searchOf = ({ search }: { search?: string }): string | undefined => search?.trim() || undefined
