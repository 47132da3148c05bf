import { Type } from 'typebox'
import { LIMIT_PATTERN, POSITION_PATTERN } from '../../page-patterns.ts'
import { Nullable } from '../../schema.ts'

/** The query of every list of version 2: the entries that follow a position, in ascending order. */
export const AfterQuery = {
  after: Type.Optional(
    Type.String({
      pattern: POSITION_PATTERN,
      description: '`next` of the previous page. Absent: from the beginning.',
    }),
  ),
  limit: Type.Optional(
    Type.String({ pattern: LIMIT_PATTERN, description: 'Entries per page: 1 to 200, by default 50.' }),
  ),
}

/** For lists that people read, too. */
export const OrderedQuery = {
  ...AfterQuery,
  order: Type.Optional(
    Type.Enum(['asc', 'desc'] as const, {
      description: '`asc` (default): oldest first. `desc`: newest first; `after` goes on with older ones.',
    }),
  ),
}

export const NextAfter = Nullable(
  Type.Integer({ description: '`after` of the next page; null on the last.' }),
)

/** Bytes of all keys and values of `metadata`, as JSON. */
export const METADATA_MAX_BYTES = 4_096

/** Data that a partner stores with its rooms and people. The server never reads it. */
export const Metadata = Type.Record(Type.String(), Type.String({ format: 'text' }), {
  description: 'Strings of your own, at most 4 KiB as JSON. Returned in every event.',
})
export type Metadata = Record<string, string>

export const UtcTime = (description: string) =>
  Type.String({ description: `${description} ISO 8601 in UTC.` })
