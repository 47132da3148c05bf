import { isPostgresUrl } from '../config/database.ts'
import { migrate } from './migrate.ts'
import { integrationMigrations } from './migrations/integration.ts'
import { mainMigrations } from './migrations/main.ts'
import type { IntegrationSchema, MainSchema } from './schema.ts'
import { openSqlite } from './sqlite/open.ts'
import type { OnStatement } from './statements.ts'
import type { Store } from './store.ts'

interface OpenOptions {
  /** For PostgreSQL; each store has as many. */
  maxConnections?: number
  /** After each statement; absent: nothing is measured. */
  onStatement?: OnStatement | undefined
}

/** Opens and migrates the main store: the schema `lectern` of a postgres:// address, or an SQLite file. */
export async function openMainStore(location: string, options?: OpenOptions): Promise<Store<MainSchema>> {
  const store = await open<MainSchema>(location, 'lectern', options)
  return migrated(store, mainMigrations)
}

/**
 * Opens and migrates the partner module's store, which is used only while the module is enabled: the schema `integration`
 * of a postgres:// address, or an SQLite file.
 */
export async function openIntegrationStore(
  location: string,
  options?: OpenOptions,
): Promise<Store<IntegrationSchema>> {
  const store = await open<IntegrationSchema>(location, 'integration', options)
  return migrated(store, integrationMigrations)
}

const CONNECTIONS = 5

async function open<Schema>(
  location: string,
  schema: string,
  { maxConnections = CONNECTIONS, onStatement }: OpenOptions = {},
): Promise<Store<Schema>> {
  if (!isPostgresUrl(location)) return openSqlite<Schema>(location, onStatement)
  const { openPostgres } = await import('./postgres/open.ts')
  return openPostgres<Schema>({ url: location, schema, maxConnections, onStatement })
}

async function migrated<Schema>(store: Store<Schema>, migrations: Parameters<typeof migrate>[1]) {
  try {
    await migrate(store, migrations)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
