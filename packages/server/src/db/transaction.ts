import { type Kysely, sql } from 'kysely'

/**
 * A transaction that throws its first error. Kysely's own would throw that there is nothing to roll back after SQLite has
 * rolled back by itself, as on a full disk.
 */
export function inTransaction<Schema, Result>(
  db: Kysely<Schema>,
  work: (db: Kysely<Schema>) => Promise<Result>,
  begin = sql`BEGIN`,
): Promise<Result> {
  return db.connection().execute(async connection => {
    await begin.execute(connection)
    try {
      const result = await work(connection)
      await sql`COMMIT`.execute(connection)
      return result
    } catch (error) {
      await sql`ROLLBACK`.execute(connection).catch(() => {})
      throw error
    }
  })
}
