import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/** An open database, and what differs between the databases we run on. */
export interface Store<Schema> {
  db: Kysely<Schema>
  dialect: Dialect
  /** Differs from what it was before when another process has changed the data since. */
  dataVersion(): number
  close(): Promise<void>
}

export interface Dialect {
  /** Makes the column an integer primary key that numbers itself. */
  autoId(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** One transaction that no other process writes beside; a second caller waits, then sees what it wrote. */
  alone(db: Kysely<unknown>, work: (db: Kysely<unknown>) => Promise<void>): Promise<void>
  /** How many migrations the database has seen; kept outside of tables, whose list is fixed. */
  readVersion(db: Kysely<unknown>): Promise<number>
  writeVersion(db: Kysely<unknown>, version: number): Promise<void>
}
