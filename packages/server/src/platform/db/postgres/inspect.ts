import { sql } from 'kysely'
import { MAIN_SCHEMA } from './access-version.ts'
import { openConnection, postgresDialect } from './dialect.ts'

/** Facts about a database that an operator has to know before the service uses it. */
export interface PostgresState {
  /** E.g. 150018. */
  version: number
  /** E.g. "15.18". */
  versionName: string
  encoding: string
  /** Without it, searches fail. */
  hasUnicodeCollation: boolean
  isReadOnly: boolean
  maxConnections: number
  /** How far its clock is ahead of this machine's; negative: behind. */
  clockAheadMs: number
  /** Whether the service has created its tables. */
  hasStores: boolean
}

/** Reads the state of a database and changes nothing. Throws what keeps it from connecting. */
export async function inspectPostgres(url: string): Promise<PostgresState> {
  const connection = { url, schema: MAIN_SCHEMA, maxConnections: 1 }
  const db = openConnection(connection)
  try {
    await sql`SELECT 1`.execute(db) // so that the measurement contains no connecting
    const begunAt = Date.now()
    const { rows } = await sql<Omit<PostgresState, 'hasStores' | 'clockAheadMs'> & { clockMs: number }>`
      SELECT current_setting('server_version_num')::int AS version,
        split_part(current_setting('server_version'), ' ', 1) AS "versionName",
        current_setting('server_encoding') AS encoding,
        EXISTS (SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu') AS "hasUnicodeCollation",
        current_setting('transaction_read_only')::bool AS "isReadOnly",
        current_setting('max_connections')::int AS "maxConnections",
        (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "clockMs"`.execute(db)
    const answeredAt = Date.now()
    const [answer] = rows
    if (!answer) throw new Error('the database has not answered')
    const { clockMs, ...state } = answer
    const clockAheadMs = clockMs - (begunAt + answeredAt) / 2
    return { ...state, clockAheadMs, hasStores: (await postgresDialect(connection).readVersion(db)) > 0 }
  } finally {
    await db.destroy()
  }
}
