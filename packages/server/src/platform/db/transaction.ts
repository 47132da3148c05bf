import { type Kysely, sql } from 'kysely'
import { isPostgres } from './dialect.ts'
import { lockKeys, mayBeRepeated } from './postgres/transactions.ts'

const ATTEMPTS_MAX = 5

type Work<Schema, Result> = (db: Kysely<Schema>) => Promise<Result>

/**
 * A transaction that throws its first error. Kysely's own would throw that there is nothing to roll back after SQLite has
 * rolled back by itself, as on a full disk.
 *
 * Of transactions with a common lock, one runs after the other and sees what those before it have written; all that reads
 * before it writes needs one. PostgreSQL may make two transactions wait for each other and then ends one of them, which runs
 * again: `work` MUST have no effects outside of the database.
 */
export async function inTransaction<Schema, Result>(
  db: Kysely<Schema>,
  work: Work<Schema, Result>,
  locks: readonly string[] = [],
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(db, work, locks)
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !mayBeRepeated(error)) throw error
    }
  }
}

/**
 * Takes one more lock in a transaction, in which SQLite needs none after a write. What others have written under it is
 * visible to the next statement.
 */
export async function lockAlso<Schema>(db: Kysely<Schema>, lock: string): Promise<void> {
  if (isPostgres(db)) await lockKeys(db, [lock])
}

/** A single statement that reads before it writes. SQLite needs no more than that for it to be alone. */
export const withLocks = <Schema, Result>(
  db: Kysely<Schema>,
  locks: readonly string[],
  work: Work<Schema, Result>,
): Promise<Result> => (isPostgres(db) ? inTransaction(db, work, locks) : work(db))

function run<Schema, Result>(
  db: Kysely<Schema>,
  work: Work<Schema, Result>,
  locks: readonly string[],
): Promise<Result> {
  return db.connection().execute(async connection => {
    await begin(connection, locks)
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

/** SQLite has one lock, which a transaction gets at its first write otherwise: too late for reads before it. */
async function begin<Schema>(connection: Kysely<Schema>, locks: readonly string[]): Promise<void> {
  if (!isPostgres(connection))
    return void (await (locks.length > 0 ? sql`BEGIN IMMEDIATE` : sql`BEGIN`).execute(connection))
  await sql`BEGIN`.execute(connection)
  if (locks.length === 0) return
  try {
    await lockKeys(connection, locks)
  } catch (error) {
    await sql`ROLLBACK`.execute(connection).catch(() => {})
    throw error
  }
}
