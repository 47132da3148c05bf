import { PAGE_DEFAULT } from '@lectern/protocol'

/** The page of a list in the order of ids, newest first: rows older than `before`. */
export interface Page {
  before?: number | undefined
  limit: number
}

/** The page of a list in the order of times, newest first; the id decides between equal times. */
export interface TimePage {
  before?: { at: number; id: string } | undefined
  limit: number
}

/** The page of a list in the order of names, which follow `after`. */
export interface NamePage {
  after?: string | undefined
  limit: number
}

interface PageQuery {
  before?: string
  limit?: string
}

/** One page of a list in the order of ids. */
export function readPage<Row>(
  { before, limit }: PageQuery,
  list: (page: Page) => Promise<Row[]>,
  idOf: (row: Row) => number,
): Promise<{ rows: Row[]; next: string | null }> {
  const position = before === undefined ? undefined : Number(before)
  return cut(
    limit,
    oneMore => list({ before: position, limit: oneMore }),
    row => String(idOf(row)),
  )
}

/** One page of a list in the order of times. */
export function readTimePage<Row>(
  { before, limit }: PageQuery,
  list: (page: TimePage) => Promise<Row[]>,
  positionOf: (row: Row) => { at: number; id: string },
): Promise<{ rows: Row[]; next: string | null }> {
  const [at = '', id = ''] = before?.split('.') ?? []
  const position = before === undefined ? undefined : { at: Number(at), id }
  return cut(
    limit,
    oneMore => list({ before: position, limit: oneMore }),
    row => `${positionOf(row).at}.${positionOf(row).id}`,
  )
}

/** One page of a list in the order of names. */
export const readNamePage = <Row extends { name: string }>(
  { before, limit }: PageQuery,
  list: (page: NamePage) => Promise<Row[]>,
): Promise<{ rows: Row[]; next: string | null }> =>
  cut(
    limit,
    oneMore => list({ after: before, limit: oneMore }),
    ({ name }) => name,
  )

/** Reads a row more than the page has, to know whether others follow. */
async function cut<Row>(
  limit: string | undefined,
  list: (limit: number) => Promise<Row[]>,
  cursorOf: (row: Row) => string,
): Promise<{ rows: Row[]; next: string | null }> {
  const size = Number(limit ?? PAGE_DEFAULT)
  const found = await list(size + 1)
  const rows = found.slice(0, size)
  const last = rows.at(-1)
  return { rows, next: found.length > size && last !== undefined ? cursorOf(last) : null }
}

/** An empty search finds everything. */
export const searchOf = ({ search }: { search?: string }): string | undefined => search?.trim() || undefined
