import { foldCase } from '@lectern/common'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { lower } from './dialect.ts'

/** Whether one of the columns contains the text, in any case. */
export function contains<Schema>(db: Kysely<Schema>, columns: string[], text: string): RawBuilder<boolean> {
  const pattern = `%${foldCase(text).replace(/[\\%_]/g, '\\$&')}%`
  // As foldCase does.
  const fold = (column: string) => sql`replace(replace(${lower(db, column)}, ${'i\u0307'}, 'i'), 'ı', 'i')`
  const conditions = columns.map(column => sql`${fold(column)} LIKE ${pattern} ESCAPE '\\'`)
  return sql<boolean>`(${sql.join(conditions, sql` OR `)})`
}

/** Rows after this position in a list that is sorted by a time and then by id, both descending. */
export function olderThan(
  column: string,
  before: { at: number; id: string } | undefined,
): RawBuilder<boolean> {
  const { at = 0, id = '' } = before ?? {}
  // Databases find the position of a row value in an index, which they do not for an OR.
  return sql<boolean>`(${sql.ref(column)}, id) < (${at}, ${id})`
}
