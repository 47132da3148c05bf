import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { borrowTestDatabase, emptySchema } from '../../../testing/database.ts'
import { createSqliteStore } from '../../../testing/sqlite.ts'
import { Lifetime } from '../../lifetime.ts'
import { createLog } from '../../log.ts'
import { openIntegrationStore, openMainStore } from '../open.ts'
import type { IntegrationSchema, MainSchema } from '../schema.ts'
import type { Store } from '../store.ts'

/** The source of the databases for the suites of a test file. */
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
  const newFile = (kind: 'main' | 'integration') => {
    file = join(dir, `${++files}.db`)
    return createSqliteStore(kind, file)
  }
  return {
    main: async () => open(openMainStore(await newFile('main'))),
    integration: async () => open(openIntegrationStore(await newFile('integration'))),
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
    url = lifetime.own('database', await borrowTestDatabase(), database => database.drop()).url
    main = lifetime.own('main store', await openMainStore(url), store => store.close())
    integration = lifetime.own('integration', await openIntegrationStore(url), store => store.close())
  })
  afterAll(lifetime.close)
  return {
    main: async () => {
      await sql.raw(emptySchema('lectern')).execute(main.db)
      return main.db
    },
    integration: async () => {
      await sql.raw(emptySchema('integration')).execute(integration.db)
      return integration.db
    },
    reopenMain: async () => lifetime.own('main store', await openMainStore(url), store => store.close()).db,
  }
}
