import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openIntegrationStore, openMainStore } from '../db/open.ts'
import { startPostgres, stopCommand } from './postgres.ts'
import { sharedServer } from './test-run.ts'

const TEMPLATE = 'lectern_template'

/** The PostgreSQL server of this test run. Tests that stop theirs start one of their own. */
const sharedPostgres = () =>
  sharedServer('postgres', {
    start: async folder => {
      const server = await startPostgres(folder)
      await execute(server.url, `CREATE DATABASE ${TEMPLATE}`)
      await migrate(server.urlOf(TEMPLATE))
      return { url: server.url }
    },
    stop: stopCommand,
  })

async function migrate(url: string): Promise<void> {
  for (const open of [openMainStore, openIntegrationStore]) await (await open(url)).close()
}

export interface TestDatabase {
  /** By default of a database with both stores, migrated and empty. */
  url: string
  /** Removes the database; ends its connections. */
  drop(): Promise<void>
}

/** Creates a database of its own for a test, or a test file, on the shared server. */
export const createTestDatabase = (): Promise<TestDatabase> => create(TEMPLATE)

/** As `createTestDatabase`, without any tables. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('template1')

async function create(template: string): Promise<TestDatabase> {
  const { url } = await sharedPostgres()
  const name = `t_${randomBytes(8).toString('hex')}`
  await execute(url, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  const target = new URL(url)
  target.pathname = name
  return { url: target.href, drop: () => execute(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** Runs statements as the superuser, on a connection of its own. */
async function execute(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // it is closed before it matters
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}
