import { type Kysely, sql } from 'kysely'
import { usePreparedStatements } from '../prepared.ts'
import type { OnStatement } from '../statements.ts'
import type { Store } from '../store.ts'
import { accessVersionReader } from './access-version.ts'
import { type Connection, prepareOnConnections } from './client.ts'
import { openConnection, postgresDialect } from './dialect.ts'
import { lockNumber } from './transactions.ts'

/** Separates these locks from the locks of transactions. */
const LOCK_CLASS = 1_263_286

/** One that gets no answer holds up the next statement no longer than a new connection takes. */
const URGENT_CONNECTIONS = 2

/** Opens one schema of a database that several servers share. Connections are opened when they are needed. */
export function openPostgres<Schema>({
  onStatement,
  ...connection
}: Connection & { onStatement?: OnStatement | undefined }): Store<Schema> {
  const open = (more: Partial<Connection>) => {
    const db = openConnection({ ...connection, ...more }, onStatement) as Kysely<Schema>
    usePreparedStatements(db, prepareOnConnections)
    return db
  }
  const db = open({})
  const urgent = open({ maxConnections: URGENT_CONNECTIONS })
  const locks = open({ maxConnections: 1, isKept: true })
  return {
    db,
    urgent,
    dialect: postgresDialect(connection),
    accessChanges: { is: 'remote', fetch: accessVersionReader(db as unknown as Kysely<unknown>) },
    exclusively: exclusiveRunner(locks),
    sizeInBytes: async () => {
      const { rows } = await sql<{
        size: number
      }>`SELECT pg_database_size(current_database()) AS size`.execute(db)
      return rows[0]?.size ?? 0
    },
    close: async () => {
      await Promise.all([db, urgent, locks].map(each => each.destroy()))
    },
  }
}

/**
 * Runs the work unless another server, or this one, runs work of that name now; false if so. All locks of a server belong to
 * one connection, and end with it, even if this server dies. That connection is no other's: work that begins at the same time
 * would take all connections for its locks otherwise, and wait for one.
 */
function exclusiveRunner<Schema>(locks: Kysely<Schema>): Store<Schema>['exclusively'] {
  // A connection gets a lock that it has once more.
  const running = new Set<string>()
  return async (name, work) => {
    if (running.has(name)) return false
    running.add(name)
    const key = sql`${sql.lit(LOCK_CLASS)}, ${lockNumber(name)}`
    try {
      const { rows } = await sql<{ locked: boolean }>`SELECT pg_try_advisory_lock(${key}) AS locked`.execute(
        locks,
      )
      if (!rows[0]?.locked) return false
      try {
        await work()
      } finally {
        await sql`SELECT pg_advisory_unlock(${key})`.execute(locks)
      }
      return true
    } finally {
      running.delete(name)
    }
  }
}
