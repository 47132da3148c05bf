import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { Lifetime } from '../../lifetime.ts'
import { createLog } from '../../log.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { openIntegrationStore, openMainStore } from '../open.ts'
import type { IntegrationSchema, MainSchema } from '../schema.ts'
import type { Store } from '../store.ts'

/** Where the suites of a test file get their databases from. */
export interface TestStores {
  /** An empty main store. */
  main(): Promise<Kysely<MainSchema>>
  /** An empty store of the partner module. */
  integration(): Promise<Kysely<IntegrationSchema>>
  /** Opens the last main store again. Its first connections stay open, as after a kill -9. */
  reopenMain(): Promise<Kysely<MainSchema>>
}

/** SQLite files, one for each store. MUST be called at the top of a test file. */
export function sqliteStores(): TestStores {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-stores-'))
  const lifetime = new Lifetime(createLog('silent'))
  lifetime.own('folder', dir, () => rmSync(dir, { recursive: true }))
  afterAll(lifetime.close)
  let file = ''
  let files = 0
  const open = async <Schema>(opening: Promise<Store<Schema>>) =>
    lifetime.own('store', await opening, store => store.close()).db
  const newFile = () => {
    file = join(dir, `${++files}.db`)
    return file
  }
  return {
    main: () => open(openMainStore(newFile())),
    integration: () => open(openIntegrationStore(newFile())),
    reopenMain: () => open(openMainStore(file)),
  }
}

/** One PostgreSQL database for the test file, which is emptied for each store. MUST be called at the top of a test file. */
export function postgresStores(): TestStores {
  const lifetime = new Lifetime(createLog('silent'))
  let url = ''
  let main: Store<MainSchema>
  let integration: Store<IntegrationSchema>
  beforeAll(async () => {
    url = lifetime.own('database', await createTestDatabase(), database => database.drop()).url
    main = lifetime.own('main store', await openMainStore(url), store => store.close())
    integration = lifetime.own('integration', await openIntegrationStore(url), store => store.close())
  })
  afterAll(lifetime.close)
  return {
    main: async () => {
      await empty(main.db, 'lectern')
      return main.db
    },
    integration: async () => {
      await empty(integration.db, 'integration')
      return integration.db
    },
    reopenMain: async () => lifetime.own('main store', await openMainStore(url), store => store.close()).db,
  }
}

/** Ids begin with 1 again. Triggers, which keep the audit log, are off meanwhile. */
async function empty<Schema>(db: Kysely<Schema>, schema: string): Promise<void> {
  await sql`
    DO $$ DECLARE each record; BEGIN
      SET LOCAL session_replication_role = replica;
      FOR each IN SELECT tablename AS name FROM pg_tables
        WHERE schemaname = ${sql.lit(schema)} AND tablename <> 'access_version' LOOP
        EXECUTE format('DELETE FROM %I', each.name);
      END LOOP;
      FOR each IN SELECT sequencename AS name FROM pg_sequences WHERE schemaname = ${sql.lit(schema)} LOOP
        PERFORM setval(format('%I', each.name)::regclass, 1, false);
      END LOOP;
    END $$`.execute(db)
}
