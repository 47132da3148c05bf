import Database from 'better-sqlite3'

/** A finished file of a recording, as the main database lists it. */
export interface SavedBlob {
  id: string
  size: number
  sha256: string
}

const FINISHED = "FROM blobs WHERE state = 'ready'"

/** Reads the list of files in a copy of a main database, of this or an earlier version. */
export class SavedBlobs {
  readonly #database: Database.Database

  constructor(file: string) {
    this.#database = new Database(file, { fileMustExist: true, readonly: true })
  }

  get total(): { count: number; bytes: number } {
    const query = `SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes ${FINISHED}`
    return this.#database.prepare(query).get() as { count: number; bytes: number }
  }

  /** The number of migrations that were applied. */
  get schemaVersion(): number {
    return this.#database.pragma('user_version', { simple: true }) as number
  }

  /** In order, as one list that several callers may share. */
  list(): IterableIterator<SavedBlob> {
    const query = `SELECT id, size, sha256 ${FINISHED} ORDER BY id`
    return this.#database.prepare(query).iterate() as IterableIterator<SavedBlob>
  }

  has(id: string): boolean {
    return this.#database.prepare('SELECT 1 FROM blobs WHERE id = ?').get(id) !== undefined
  }

  close(): void {
    this.#database.close()
  }
}
