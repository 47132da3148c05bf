import { existsSync } from 'node:fs'
import { openIntegrationStore, openMainStore } from './open.ts'
import type { CopiedTable, OnProgress } from './postgres/import.ts'
import { type FileReader, openFileReader } from './sqlite/reader.ts'
import { lockForServer } from './sqlite/server-lock.ts'

export interface CopyOptions {
  /** The SQLite file of the main store. */
  main: string
  /** The file of the partner module; null without one. */
  integration: string | null
  /** The postgres:// address of an empty database. */
  to: string
  /** Called after each batch of rows. */
  onProgress: OnProgress
}

/**
 * Copies SQLite stores into an empty PostgreSQL database, in one transaction: after a failure, or a kill, the database is
 * as empty as before. The files are first migrated as a start would do it, and locked against writes meanwhile. Resolves
 * when the number of rows of each table was compared. Throws without a change if a table of the database has rows, or
 * if a server uses the files.
 */
export async function copyStores({ main, integration, to, onProgress }: CopyOptions): Promise<CopiedTable[]> {
  const sources = [{ schema: 'lectern', file: main, open: openMainStore }, partnerModule(integration)].filter(
    source => source !== null,
  )
  for (const { file } of sources) if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  const { importInto } = await import('./postgres/import.ts')
  // The writes of a running server would be missing.
  const unlock = lockForServer(main)
  const readers: { schema: string; reader: FileReader }[] = []
  try {
    for (const { schema, file, open } of sources) {
      await (await open(file)).close()
      await (await open(to)).close()
      readers.push({ schema, reader: openFileReader(file) })
    }
    return await importInto(to, readers, onProgress)
  } finally {
    for (const { reader } of readers) reader.close()
    unlock()
  }
}

const partnerModule = (file: string | null) =>
  file === null ? null : { schema: 'integration', file, open: openIntegrationStore }
