import { migrate } from './migrate.ts'
import { integrationMigrations } from './migrations/integration.ts'
import { mainMigrations } from './migrations/main.ts'
import type { IntegrationSchema, MainSchema } from './schema.ts'
import { openSqlite } from './sqlite/open.ts'
import type { Store } from './store.ts'

/** Opens and migrates the main store. */
export async function openMainStore(file: string): Promise<Store<MainSchema>> {
  const store = openSqlite<MainSchema>(file)
  await migrate(store, mainMigrations)
  return store
}

/** Opens and migrates the partner module's store, which is used only while the module is enabled. */
export async function openIntegrationStore(file: string): Promise<Store<IntegrationSchema>> {
  const store = openSqlite<IntegrationSchema>(file)
  await migrate(store, integrationMigrations)
  return store
}
