import pg from 'pg'

const CONNECT_WITHIN_MS = 100_000

/** Runs one query on a connection of its own; times and ids are strings, as PostgreSQL's 64-bit integers are. */
export async function queryPostgres<Row>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_WITHIN_MS })
  client.on('error', () => {}) // the query fails too
  try {
    await client.connect()
    return (await client.query(text, values)).rows as Row[]
  } finally {
    await client.end().catch(() => {})
  }
}
