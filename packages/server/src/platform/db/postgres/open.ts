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

/** Opens one schema of a database that several servers share. Connections are opened when they are needed. */
export function openPostgres<Schema>({
  onStatement,
  ...connection
}: Connection & { onStatement?: OnStatement | undefined }): Store<Schema> {
  const db = openConnection(connection, onStatement) as Kysely<Schema>
  usePreparedStatements(db, prepareOnConnections)
  return {
    db,
    dialect: postgresDialect(connection),
    accessChanges: { is: 'remote', fetch: accessVersionReader(db as unknown as Kysely<unknown>) },
    exclusively: (name, work) => runExclusively(db, name, work),
    sizeInBytes: async () => {
      const { rows } = await sql<{
        size: number
      }>`SELECT pg_database_size(current_database()) AS size`.execute(db)
      return rows[0]?.size ?? 0
    },
    close: () => db.destroy(),
  }
}

/**
 * Runs the work unless another server runs work of that name now; false if so. The lock ends with the connection, even
 * if this server dies.
 */
function runExclusively<Schema>(
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
