import { type RawBuilder, sql } from 'kysely'

/** Whether one of the columns contains the text, whatever its case. `lower` covers all of Unicode on every database. */
export function contains(columns: string[], text: string): RawBuilder<boolean> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const conditions = columns.map(column => sql`lower(${sql.ref(column)}) LIKE ${pattern} ESCAPE '\\'`)
  return sql<boolean>`(${sql.join(conditions, sql` OR `)})`
}
