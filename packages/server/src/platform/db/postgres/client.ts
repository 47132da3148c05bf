import { createHash } from 'node:crypto'
import pg from 'pg'
import { DatabaseUnavailable } from '../unavailable.ts'
import { isStalePlan } from './transactions.ts'

/** A statement that waits for a lock, or runs, for longer than this fails. */
const STATEMENT_TIMEOUT_MS = 8_000
const LOCK_TIMEOUT_MS = 5_000
/** Without a response, the network or the other machine has failed. Above the timeout of the database itself. */
const QUERY_TIMEOUT_MS = 10_000
/** Also the time for which a request waits for a free connection. */
const CONNECT_TIMEOUT_MS = 5_000
/** A transaction whose server hangs must not keep its locks. */
const IDLE_TRANSACTION_TIMEOUT_MS = 20_000
const IDLE_CONNECTION_MS = 60_000
const TIMEOUTS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  query_timeout: QUERY_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
}

/** int8, and numeric, which sums of int8 are: all of ours are safe integers. */
const INT8 = 20
const NUMERIC = 1700
const TEXT_TO_NUMBER = new Map([
  [INT8, Number],
  [NUMERIC, Number],
])
const types = {
  getTypeParser: (oid: number, format?: string) =>
    (format !== 'binary' && TEXT_TO_NUMBER.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
}

export interface Connection {
  url: string
  /** The schema of all tables without one. */
  schema: string
  maxConnections: number
  /** For migrations and copies, whose statements may take long: nothing but connecting has a time limit. */
  hasNoTimeouts?: boolean
  /** Idle connections stay open: what belongs to a connection, such as locks, is kept between statements. */
  isKept?: boolean
}

/** Frequent statements, which each connection prepares once. */
const names = new Map<string, string>()

export function prepareOnConnections(text: string): void {
  names.set(text, createHash('sha1').update(text).digest('base64url'))
}

/**
 * A pool that reconnects by itself. What does not reach the database, or gets no answer, fails as `DatabaseUnavailable`
 * after a time; no error of a connection goes anywhere else.
 */
export function openPool({ url, schema, maxConnections, hasNoTimeouts, isKept }: Connection): pg.Pool {
  const pool = new pg.Pool({
    connectionString: withOptions(url, schema),
    Client: LecternClient,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: isKept ? 0 : IDLE_CONNECTION_MS,
    ...(!hasNoTimeouts && TIMEOUTS),
    keepAlive: true,
    application_name: 'lectern',
    types,
  } as pg.PoolConfig)
  // Without listeners, a connection that breaks ends the process, whether it is idle or between two statements of a
  // transaction. The next query reports it.
  pool.on('error', () => {})
  pool.on('connect', client => void client.on('error', () => {}))
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  pool.connect = (async () => {
    try {
      return await connect()
    } catch (error) {
      rethrow(error as Error) // also of files of certificates, which are read before there is a promise
    }
  }) as typeof pool.connect
  return pool
}

/** Modes of which the driver treats all as `verify-full`, with a warning of many lines for the others. */
const VERIFIED = new Set(['prefer', 'require', 'verify-ca'])

/**
 * PostgreSQL compiles statements whose cost it estimates as high, which takes longer than to run any of ours. Options of
 * the address may turn it on.
 */
const WITHOUT_COMPILING = '-c jit=off'

/** In the address, because its options win over others. */
function withOptions(url: string, schema: string): string {
  const address = new URL(url)
  if (VERIFIED.has(address.searchParams.get('sslmode') ?? ''))
    address.searchParams.set('sslmode', 'verify-full')
  const options = [WITHOUT_COMPILING, address.searchParams.get('options'), `-c search_path=${schema}`]
  address.searchParams.set('options', options.filter(Boolean).join(' '))
  return address.href
}

class LecternClient extends pg.Client {
  #preparesStatements = true

  // biome-ignore lint/suspicious/noExplicitAny: the driver's method has seven signatures, of which Kysely uses this one
  override query(text: any, values?: any): any {
    if (typeof text !== 'string') return super.query(text, values)
    const name = this.#preparesStatements ? names.get(text) : undefined
    return super.query({ name, text, values }).catch((error: Error) => {
      if (!isStalePlan(error)) this.#fail(error)
      this.#preparesStatements = false
      // A transaction is lost with the statement, and begins again (see inTransaction).
      if ((this as unknown as Untyped).getTransactionStatus() !== 'I') this.#fail(error)
      return super.query({ text, values }).catch((second: Error) => this.#fail(second))
    })
  }

  #fail(error: Error): never {
    // The answer may still arrive, and would be taken for the answer to the next query.
    if (!isFromDatabase(error)) (this as unknown as Untyped).connection.stream.destroy()
    rethrow(error)
  }
}

/** Members that the types of the driver leave out. */
interface Untyped {
  getTransactionStatus(): 'I' | 'T' | 'E' | null
  connection: { stream: { destroy(): void } }
}

/** Errors of the database itself have a SQLSTATE of five characters; of the connection, they have none. */
const isFromDatabase = (error: Error & { code?: unknown; severity?: unknown }) =>
  error.severity !== undefined && String(error.code).length === 5

function rethrow(error: Error): never {
  throw isFromDatabase(error) ? error : new DatabaseUnavailable(error)
}
