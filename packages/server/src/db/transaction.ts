import { type Kysely, sql } from 'kysely'

/**
 * One transaction, whose first failure is the one that is thrown. Kysely's own throws that there is nothing to roll back
 * where the database has rolled back already, as SQLite does when its disk is full.
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
