import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from '@lectern/sqlite'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { useDirectReads } from '../prepared.ts'
import type { Dialect, Store } from '../store.ts'
import { inTransaction } from '../transaction.ts'

const BUSY_TIMEOUT_MS = 5_000

/** Opens or creates an SQLite file that several processes share: the command line writes, too. */
export function openSqlite<Schema>(file: string): Store<Schema> {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  if (file !== ':memory:') chmodSync(file, 0o600) // it contains secrets; -wal and -shm inherit the mode
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL') // writes are durable before they are acknowledged
  database.pragma('foreign_keys = ON')
  const cached = withStatementCache(database)
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: cached }) })
  // A read inside a foreign transaction would see uncommitted data, so it waits for the end of the transaction.
  useDirectReads(db, (text, parameters) =>
    database.inTransaction ? null : (cached.prepare(text).all(parameters) as unknown[]),
  )
  // Also another connection of this process counts as another process (sqlite.org/pragma.html#pragma_data_version).
  const dataVersion = database.prepare('PRAGMA data_version').pluck()
  return { db, dialect, dataVersion: () => Number(dataVersion.get()), close: () => db.destroy() }
}

/** Caches prepared statements, which Kysely would prepare for each query. */
function withStatementCache(database: Database.Database): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({
    max: 200,
    memoMethod: text => database.prepare(text) as SqliteStatement,
  })
  return { close: () => database.close(), prepare: text => statements.memo(text) }
}

const dialect: Dialect = {
  autoId: column => column.primaryKey(),
  // Kysely's transactions acquire the write lock at the first write: too late for preceding reads.
  alone: (db, work) => inTransaction(db, work, sql`BEGIN IMMEDIATE`),
  readVersion: async db => {
    const { rows } = await sql<{ user_version: number }>`PRAGMA user_version`.execute(db)
    return rows[0]?.user_version ?? 0
  },
  writeVersion: async (db, version) => {
    await sql`PRAGMA user_version = ${sql.lit(version)}`.execute(db)
  },
}
