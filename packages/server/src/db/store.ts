import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/** An open database with the operations that differ between database systems. */
export interface Store<Schema> {
  db: Kysely<Schema>
  dialect: Dialect
  /** Changes when another process has written to the database. */
  dataVersion(): number
  close(): Promise<void>
}

export interface Dialect {
  /** Makes the column an auto-incrementing integer primary key. */
  autoId(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** A transaction with an exclusive write lock: a second caller waits and then sees its changes. */
  alone(db: Kysely<unknown>, work: (db: Kysely<unknown>) => Promise<void>): Promise<void>
  /** Makes the database reject changes of the audit log that rule AUDIT-2 does not allow. */
  protectAuditLog(db: Kysely<unknown>): Promise<void>
  /** The number of applied migrations, stored outside of tables, whose list is fixed. */
  readVersion(db: Kysely<unknown>): Promise<number>
  writeVersion(db: Kysely<unknown>, version: number): Promise<void>
}
