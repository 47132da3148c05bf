import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '@lectern/common/make-folder'
import Database from 'better-sqlite3'

/**
 * Reserves a database for one server: a second one would restore the sessions of the first. The lock is of the operating
 * system and ends with the process. Throws if another server holds it; otherwise returns what releases it.
 */
export function lockForServer(databaseFile: string): () => void {
  makeFolder(dirname(databaseFile))
  const file = `${databaseFile}-lock`
  const lock = new Database(file, { timeout: 0 })
  try {
    chmodSync(file, 0o600)
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new Error(
      `Another server is using ${databaseFile}: stop it, or set another [Server] DataDir. Servers share data only as a cluster (docs/cluster.md).`,
    )
  }
  return () => void lock.close()
}
