import { chmodSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '@lectern/common/make-folder'
import { AUDIT_RETENTION_DAYS } from '@lectern/protocol'
import Database from 'better-sqlite3'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { useDirectReads } from '../prepared.ts'
import { type OnStatement, statementLog } from '../statements.ts'
import type { Dialect, Store } from '../store.ts'
import { inTransaction } from '../transaction.ts'

const BUSY_TIMEOUT_MS = 5_000

/** Opens or creates an SQLite file that several processes share: the command line writes, too. */
export function openSqlite<Schema>(file: string, onStatement?: OnStatement): Store<Schema> {
  if (file !== ':memory:') makeFolder(dirname(file))
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  if (file !== ':memory:') chmodSync(file, 0o600) // it contains secrets; -wal and -shm inherit the mode
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL') // writes are durable before they are acknowledged
  database.pragma('secure_delete = ON') // what was deleted is in no page of a backup either
  database.pragma('foreign_keys = ON')
  addFunctions(database)
  const cached = withStatementCache(database)
  const db = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: cached }),
    ...(onStatement && { log: statementLog(onStatement) }),
  })
  // Direct reads are not measured, so they are not used while statements are.
  if (!onStatement) useDirectReads(db, text => directRead(database, text))
  // Another connection of this process counts as another process, too (sqlite.org/pragma.html#pragma_data_version).
  const dataVersion = database.prepare('PRAGMA data_version').pluck()
  return {
    db,
    urgent: db,
    dialect,
    accessChanges: { is: 'local', read: () => Number(dataVersion.get()) },
    exclusively: async (_name, work) => {
      await work() // there is no other server
      return true
    },
    sizeInBytes: () => sizeOf(file),
    close: () => db.destroy(),
  }
}

/** With its write-ahead log. */
async function sizeOf(file: string): Promise<number> {
  const size = (path: string) =>
    stat(path).then(
      found => found.size,
      () => 0,
    )
  return (await size(file)) + (await size(`${file}-wal`))
}

function directRead(database: Database.Database, text: string) {
  let statement: Database.Statement | undefined
  return (parameters: readonly unknown[]) => {
    // A read inside a foreign transaction would see uncommitted data, so it waits for the end of the transaction.
    if (database.inTransaction) return null
    statement ??= database.prepare(text)
    return statement.all(parameters)
  }
}

/** Caches prepared statements, which Kysely would prepare for each query. */
function withStatementCache(database: Database.Database): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({
    max: 200,
    memoMethod: text => database.prepare(text) as SqliteStatement,
  })
  return { close: () => database.close(), prepare: text => statements.memo(text) }
}

/** Names of SQLite's own: `lower` of SQLite handles ASCII only. */
function addFunctions(database: Database.Database): void {
  database.function('lower', { deterministic: true }, text =>
    typeof text === 'string' ? text.toLowerCase() : text,
  )
}

const RETENTION_S = AUDIT_RETENTION_DAYS * 86_400

const dialect: Dialect = {
  nowMs: sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  autoId: column => column.primaryKey(),
  // Kysely's transactions acquire the write lock at the first write: too late for preceding reads.
  alone: (db, work) => inTransaction(db, work, ['migrations']),
  protectAuditLog: async db => {
    await sql`CREATE TRIGGER audit_log_update BEFORE UPDATE ON audit_log
      WHEN old.outcome <> 'started' OR new.id <> old.id OR new.at_ms <> old.at_ms OR new.action <> old.action
        OR new.actor_kind <> old.actor_kind OR new.actor_user_id IS NOT old.actor_user_id
        OR new.actor <> old.actor OR new.address IS NOT old.address OR new.details <> old.details
      BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END`.execute(db)
    await sql`CREATE TRIGGER audit_log_delete BEFORE DELETE ON audit_log
      WHEN old.at_ms > (strftime('%s', 'now') - ${sql.lit(RETENTION_S)}) * 1000
      BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END`.execute(db)
  },
  // The database counts changes of other processes by itself.
  countAccessChanges: async () => {},
  readVersion: async db => {
    const { rows } = await sql<{ user_version: number }>`PRAGMA user_version`.execute(db)
    return rows[0]?.user_version ?? 0
  },
  writeVersion: async (db, version) => {
    await sql`PRAGMA user_version = ${sql.lit(version)}`.execute(db)
  },
}
