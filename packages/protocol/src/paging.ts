import { Type } from 'typebox'
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
      pattern: '^([1-9][0-9]?|1[0-9][0-9]|200)$',
      description: 'Entries per page: 1 to 200, by default 50.',
    }),
  ),
})

/** Of lists in the order of their ids. */
export const PageQuery = pageQuery('^[0-9]{1,15}$')
/** Of lists in the order of their times, where ids are random. */
export const TimePageQuery = pageQuery('^[0-9]{1,15}\\.[\\w-]{1,80}$')

/** Case is ignored. */
export const Search = (fields: string) => Type.Optional(Text(100, `Part of ${fields}; case is ignored.`))

export const Next = Nullable(
  Type.String({ description: 'The value of `before` for the next page; null on the last page.' }),
)

/** Ids of rows. */
export const RowId = Type.String({ pattern: '^[1-9][0-9]{0,14}$' })
