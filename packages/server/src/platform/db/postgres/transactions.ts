import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

/** Any number: it separates these locks from other advisory locks in the same database. */
const LOCK_CLASS = 1_263_285
/** The locks of a database share a table of limited size, so names share a limited number of locks. */
const LOCKS = 1024

export const lockNumber = (name: string): number =>
  createHash('sha1').update(name).digest().readUInt32BE() % LOCKS

/** Waits for the locks, in an order that all transactions share; they are held to the end of the transaction. */
export async function lockKeys<Schema>(connection: Kysely<Schema>, names: readonly string[]): Promise<void> {
  const locks = [...new Set(names.map(lockNumber))].sort((a, b) => a - b)
  await sql`SELECT pg_advisory_xact_lock(${sql.lit(LOCK_CLASS)}, k) FROM unnest(${locks}::int[]) AS k`.execute(
    connection,
  )
}

/** serialization_failure, deadlock_detected (https://www.postgresql.org/docs/current/errcodes-appendix.html) */
const CONFLICTS = new Set(['40001', '40P01'])
/** feature_not_supported: another server has migrated the table of a prepared statement. */
const STALE_PLAN = '0A000'

/** Whether the database has rolled back a transaction that can succeed when it runs again. */
export function mayBeRepeated(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return CONFLICTS.has(String(code)) || isStalePlan({ code, message })
}

export const isStalePlan = ({ code, message }: { code?: unknown; message?: unknown }): boolean =>
  code === STALE_PLAN && String(message).includes('cached plan')
