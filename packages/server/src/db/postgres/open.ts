import { type Kysely, sql } from 'kysely'
import { usePreparedStatements } from '../prepared.ts'
import type { OnStatement } from '../statements.ts'
import type { Store } from '../store.ts'
import { accessVersionReader } from './access-version.ts'
import { type Connection, prepareOnConnections } from './client.ts'
import { openConnection, postgresDialect } from './dialect.ts'
import { runExclusively } from './exclusive.ts'

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
