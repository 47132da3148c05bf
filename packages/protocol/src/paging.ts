import { Type } from 'typebox'
import { ID_CURSOR_PATTERN, LIMIT_PATTERN, ROW_ID_PATTERN, TIME_CURSOR_PATTERN } from './page-patterns.ts'
import { Nullable, Text } from './schema.ts'

/** Entries of a page, unless the request asks for another number. */
export const PAGE_DEFAULT = 50
export const PAGE_MAX = 200

/** The query of every list that has pages. Values of a query are strings. */
const pageQuery = (cursor: string) => ({
  before: Type.Optional(
    Type.String({ pattern: cursor, description: '`next` of the previous page. Absent: the first page.' }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: LIMIT_PATTERN,
      description: 'Entries per page: 1 to 200, by default 50.',
    }),
  ),
})

/** For lists in the order of their ids. */
export const PageQuery = pageQuery(ID_CURSOR_PATTERN)
/** For lists in the order of their times, where ids are random. */
export const TimePageQuery = pageQuery(TIME_CURSOR_PATTERN)

/** Case is ignored. */
export const Search = (fields: string) => Type.Optional(Text(100, `Part of ${fields}; case is ignored.`))

export const Next = Nullable(
  Type.String({ description: 'The value of `before` for the next page; null on the last page.' }),
)

/** Ids of rows. */
export const RowId = Type.String({ pattern: ROW_ID_PATTERN })
