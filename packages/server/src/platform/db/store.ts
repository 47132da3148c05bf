import type { ColumnDefinitionBuilder, Kysely, RawBuilder } from 'kysely'
import type { AccessChanges } from '../access-version.ts'

/** An open database with the operations that differ between database systems. */
export interface Store<Schema> {
  db: Kysely<Schema>
  /** Connections for statements that cannot wait for those of `db`. With SQLite, the same as `db`. */
  urgent: Kysely<Schema>
  dialect: Dialect
  /** How this process learns that another one may have revoked access. */
  accessChanges: AccessChanges
  /** Runs the work unless any server runs work of that name now; false if so. */
  exclusively(name: string, work: () => Promise<unknown>): Promise<boolean>
  /** The space that the database takes on its disk; with both stores, if they share a database. */
  sizeInBytes(): Promise<number>
  close(): Promise<void>
}

/** Updates of a table that revoke access: those that change one of these columns. */
export interface AccessColumns {
  table: string
  columns: readonly string[]
}

export interface Dialect {
  /** The time of the database's clock in Unix milliseconds: the only one that several servers share. */
  nowMs: RawBuilder<number>
  /** Makes the column an auto-incrementing integer primary key. */
  autoId(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** A transaction with an exclusive write lock: a second caller waits and then sees its changes. */
  alone(db: Kysely<unknown>, work: (db: Kysely<unknown>) => Promise<void>): Promise<void>
  /** Makes the database reject changes of the audit log that rule AUDIT-2 does not allow. */
  protectAuditLog(db: Kysely<unknown>): Promise<void>
  /** Makes every writer, also by hand, count changes that revoke access, if `accessChanges` needs that. */
  countAccessChanges(db: Kysely<unknown>, revoking: AccessColumns): Promise<void>
  /** The number of applied migrations, stored outside of tables, whose list is fixed. */
  readVersion(db: Kysely<unknown>): Promise<number>
  writeVersion(db: Kysely<unknown>, version: number): Promise<void>
}
