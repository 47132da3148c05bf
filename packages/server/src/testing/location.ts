import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { borrowTestDatabase, type TestDatabase } from './database.ts'
import { createSqliteStore } from './sqlite.ts'

/** LECTERN_TEST_DB=postgres runs the tests on PostgreSQL that use these functions. */
export const usesPostgres = (): boolean => process.env.LECTERN_TEST_DB === 'postgres'

const databases = new Map<string, Promise<TestDatabase>>()

/** The database of a test that keeps its files in the folder: the same one each time. */
export function postgresDatabaseOf(folder: string): Promise<TestDatabase> {
  const database = databases.get(folder) ?? borrowTestDatabase()
  databases.set(folder, database)
  return database
}

/** The main store of a test with files in the folder, on either database. */
export const mainStoreIn = async (folder: string): Promise<string> =>
  usesPostgres() ? (await postgresDatabaseOf(folder)).url : createSqliteStore('main', join(folder, 'main.db'))

/** Removes the database of the folder, if there is one. */
export async function dropDatabaseOf(folder: string): Promise<void> {
  await (await databases.get(folder))?.drop()
  databases.delete(folder)
}

/** Counts what uses a connection now, so that a test can wait until nothing does. */
export function countRunning<Schema>(db: Kysely<Schema>): () => number {
  let running = 0
  const executor = db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  executor.provideConnection = async consume => {
    running += 1
    try {
      return await provide(consume)
    } finally {
      running -= 1
    }
  }
  return () => running
}
