import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

/** Whether several processes write to the database at the same time, each with several connections. */
export const isPostgres = <Schema>(db: Kysely<Schema>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter

/** Text in lower case, for the letters of all scripts: PostgreSQL's own `lower` may know ASCII only, depending on the database. */
export const lower = <Schema>(db: Kysely<Schema>, column: string): RawBuilder<string> =>
  isPostgres(db) ? sql`lower(${sql.ref(column)} COLLATE "und-x-icu")` : sql`lower(${sql.ref(column)})`
