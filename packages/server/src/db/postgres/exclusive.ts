import { type Kysely, sql } from 'kysely'
import { lockNumber } from './transactions.ts'

/** Separates these locks from the locks of transactions. */
const LOCK_CLASS = 1_263_286

/**
 * Runs the work unless another server runs work of that name now; false if so. The lock ends with the connection, also when
 * this server dies.
 */
export function runExclusively<Schema>(
  db: Kysely<Schema>,
  name: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const key = sql`${sql.lit(LOCK_CLASS)}, ${lockNumber(name)}`
  return db.connection().execute(async connection => {
    const { rows } = await sql<{ locked: boolean }>`SELECT pg_try_advisory_lock(${key}) AS locked`.execute(
      connection,
    )
    if (!rows[0]?.locked) return false
    try {
      await work()
    } finally {
      await sql`SELECT pg_advisory_unlock(${key})`.execute(connection)
    }
    return true
  })
}
