import pg from 'pg'

const CONNECT_WITHIN_MS = 100_000
/** For polls: to open a connection takes longer than most queries. */
const IDLE_MS = 1_000

const pools = new Map<string, pg.Pool>()

/** Runs one query; times and ids are strings, as PostgreSQL's 64-bit integers are. */
export async function queryPostgres<Row>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const pool = pools.get(url) ?? openPool(url)
  pools.set(url, pool)
  return (await pool.query(text, values)).rows as Row[]
}

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
  })
  pool.on('error', () => {}) // the next query has another connection
  return pool
}
