import Database from 'better-sqlite3'

/** The content of an SQLite file. */
export interface FileReader {
  tables(): string[]
  count(table: string): number
  columns(table: string): string[]
  /** The rows in the order of the columns, one after another. */
  rows(table: string): Iterable<unknown[]>
  close(): void
}

/** Reads a file that nobody can write meanwhile: its write lock is held until it is closed. */
export function openFileReader(file: string): FileReader {
  const database = new Database(file, { fileMustExist: true })
  database.exec('BEGIN IMMEDIATE')
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
  return {
    tables: () =>
      database
        .prepare(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
        )
        .pluck()
        .all() as string[],
    count: table =>
      database
        .prepare(`SELECT count(*) FROM ${quoted(table)}`)
        .pluck()
        .get() as number,
    columns: table =>
      (database.pragma(`table_info(${quoted(table)})`) as { name: string }[]).map(({ name }) => name),
    rows: table =>
      database
        .prepare(`SELECT * FROM ${quoted(table)} ORDER BY rowid`)
        .raw()
        .iterate() as Iterable<unknown[]>,
    close: () => database.close(),
  }
}
