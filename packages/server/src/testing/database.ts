import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openIntegrationStore, openMainStore } from '../platform/db/open.ts'
import { startPostgres, stopCommand } from './postgres.ts'
import { sharedServer } from './test-run.ts'

const TEMPLATE = 'lectern_template'

/** The PostgreSQL server of this test run. Tests that stop theirs start one of their own. */
const sharedPostgres = () =>
  sharedServer('postgres', {
    start: async folder => {
      const server = await startPostgres(folder, {}, { outlives: true })
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
  /** Ends the connections, and removes the database; a borrowed one is emptied and returned. Safe to repeat. */
  drop(): Promise<void>
}

/** A borrowed database with a connection that stays open. */
interface Lent {
  url: string
  client: pg.Client
}

/** Those of this thread that nobody has now. To create one takes ten times as long as to empty it. */
const free: Lent[] = []

/** A database with both stores, for a test that changes nothing but rows. Once it is returned, other tests use it. */
export async function borrowTestDatabase(): Promise<TestDatabase> {
  let lent: Lent | undefined = free.pop() ?? (await newToLend())
  return {
    url: lent.url,
    drop: async () => {
      const returned = lent
      if (!returned) return
      lent = undefined
      await returned.client.query(END_OTHERS)
      await returned.client.query(emptySchema('lectern') + emptySchema('integration'))
      free.push(returned)
    },
  }
}

async function newToLend(): Promise<Lent> {
  const { url } = await createTestDatabase()
  const client = await connect(url)
  return { url, client }
}

const END_OTHERS = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`

/** A statement that removes all rows of a schema. Ids begin with 1 again. Triggers, which keep the audit log, are off meanwhile. */
export const emptySchema = (schema: 'lectern' | 'integration'): string => `
  DO $$ DECLARE each regclass; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR each IN SELECT oid FROM pg_class
      WHERE relkind = 'r' AND relnamespace = '${schema}'::regnamespace AND relname <> 'access_version' LOOP
      EXECUTE format('DELETE FROM %s', each);
    END LOOP;
    PERFORM setval(oid::regclass, 1, false) FROM pg_class
      WHERE relkind = 'S' AND relnamespace = '${schema}'::regnamespace;
  END $$;`

/** Creates a database of its own for a test, or a test file, on the shared server. */
export const createTestDatabase = (): Promise<TestDatabase> => create(TEMPLATE)

/** `createTestDatabase` without any tables; `options` of CREATE DATABASE. */
export const createEmptyDatabase = (options?: string): Promise<TestDatabase> => create('template1', options)

async function create(template: string, options = `TEMPLATE ${template}`): Promise<TestDatabase> {
  const { url } = await sharedPostgres()
  const name = `t_${randomBytes(8).toString('hex')}`
  await execute(url, `CREATE DATABASE ${name} ${options}`)
  const target = new URL(url)
  target.pathname = name
  return { url: target.href, drop: () => execute(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** Runs statements as the superuser, on a connection of its own. */
async function execute(url: string, statements: string): Promise<void> {
  const client = await connect(url)
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // it is closed before it matters
  await client.connect()
  return client
}
