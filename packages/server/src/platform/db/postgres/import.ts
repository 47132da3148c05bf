import { type Kysely, sql } from 'kysely'
import type { FileReader } from '../sqlite/reader.ts'
import { inTransaction } from '../transaction.ts'
import { ACCESS_VERSION, MAIN_SCHEMA } from './access-version.ts'
import { MIGRATION_LOCK, openConnection } from './dialect.ts'

export interface CopiedTable {
  /** With its schema. */
  table: string
  rows: number
}

export type OnProgress = (progress: CopiedTable & { total: number }) => void

/** PostgreSQL admits 65,535 parameters for each statement. */
const PARAMETERS_MAX = 30_000
const BATCH_BYTES = 4 * 1024 * 1024
/** All foreign keys lead there. */
const FIRST_TABLE = 'users'

interface Source {
  schema: string
  reader: FileReader
}

/** Fills empty tables from files, all or nothing. */
export async function importInto(
  url: string,
  sources: Source[],
  onProgress: OnProgress,
): Promise<CopiedTable[]> {
  const db = openConnection({ url, schema: MAIN_SCHEMA, maxConnections: 1, hasNoTimeouts: true })
  const copyAll = async (connection: Kysely<unknown>) => {
    const copied: CopiedTable[] = []
    for (const source of sources) await prepare(connection, source)
    for (const source of sources)
      for (const table of tablesOf(source))
        copied.push(await copyTable(connection, source, table, onProgress))
    return copied
  }
  return inTransaction(db, copyAll, [MIGRATION_LOCK]).finally(() => db.destroy())
}

const tablesOf = ({ reader }: Source) =>
  reader.tables().sort((a, b) => Number(b === FIRST_TABLE) - Number(a === FIRST_TABLE))

/** Throws unless the database has the same tables, all empty. Nobody else writes to them until the end of the transaction. */
async function prepare(db: Kysely<unknown>, source: Source): Promise<void> {
  const { schema } = source
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = ${schema} AND tablename <> ${ACCESS_VERSION}
    ORDER BY 1`.execute(db)
  const [present, expected] = [rows.map(({ name }) => name), tablesOf(source)]
  if (present.join() !== [...expected].sort().join())
    throw new Error(`The schema ${schema} of the database has other tables than the file.`)
  for (const name of expected) {
    const table = sql.id(schema, name)
    await sql`LOCK TABLE ${table} IN EXCLUSIVE MODE`.execute(db)
    const first = await sql`SELECT 1 FROM ${table} LIMIT 1`.execute(db)
    if (first.rows.length > 0)
      throw new Error(`The database is not empty: there are rows in ${schema}.${name}. Use a new database.`)
  }
}

async function copyTable(
  db: Kysely<unknown>,
  { schema, reader }: Source,
  name: string,
  onProgress: OnProgress,
): Promise<CopiedTable> {
  const table = sql.id(schema, name)
  const columns = reader.columns(name)
  const into = sql`${table} (${sql.join(columns.map(column => sql.id(column)))})`
  const total = reader.count(name)
  let rows = 0
  // The rows that triggers wrote for these rows are in the file.
  await sql`ALTER TABLE ${table} DISABLE TRIGGER USER`.execute(db)
  for (const batch of batchesOf(reader.rows(name), Math.floor(PARAMETERS_MAX / columns.length))) {
    const values = batch.map(row => sql`(${sql.join(row)})`)
    await sql`INSERT INTO ${into} VALUES ${sql.join(values)}`.execute(db).catch((error: Error) => {
      throw new Error(`${schema}.${name}: ${error.message}`, { cause: error })
    })
    rows += batch.length
    onProgress({ table: `${schema}.${name}`, rows, total })
  }
  const counted = await sql<{ count: number }>`SELECT count(*) AS count FROM ${table}`.execute(db)
  if (rows !== total || counted.rows[0]?.count !== total)
    throw new Error(
      `${schema}.${name} has ${total} rows in the file and ${counted.rows[0]?.count} in the database.`,
    )
  await sql`ALTER TABLE ${table} ENABLE TRIGGER USER`.execute(db)
  await continueIds(db, schema, name)
  return { table: `${schema}.${name}`, rows }
}

function* batchesOf(rows: Iterable<unknown[]>, maxRows: number): Generator<unknown[][]> {
  let batch: unknown[][] = []
  let bytes = 0
  for (const row of rows) {
    batch.push(row)
    for (const value of row) bytes += typeof value === 'string' ? value.length : 8
    if (batch.length < maxRows && bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** The next id follows the greatest one. */
async function continueIds(db: Kysely<unknown>, schema: string, name: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT attname AS id FROM pg_attribute
    WHERE attrelid = ${`${schema}.${name}`}::regclass AND attidentity <> ''`.execute(db)
  for (const { id } of rows)
    await sql`
      SELECT setval(pg_get_serial_sequence(${`${schema}.${name}`}, ${id}), max(${sql.id(id)}))
      FROM ${sql.id(schema, name)} HAVING max(${sql.id(id)}) IS NOT NULL`.execute(db)
}
