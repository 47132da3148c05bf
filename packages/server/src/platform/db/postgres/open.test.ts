import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { userStore } from '../../../accounts/stores/users.ts'
import { leaseStore } from '../../../sessions/stores/session-leases.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { Lifetime } from '../../lifetime.ts'
import { createLog } from '../../log.ts'
import { migrate } from '../migrate.ts'
import { integrationMigrations } from '../migrations/integration.ts'
import { openIntegrationStore, openMainStore } from '../open.ts'
import { inspectPostgres } from './inspect.ts'
import { openPostgres } from './open.ts'

const lifetime = new Lifetime(createLog('silent'))
afterAll(lifetime.close)

const own = async (database: Promise<TestDatabase>) =>
  lifetime.own('database', await database, each => each.drop()).url
const openMain = async (url: string) =>
  lifetime.own('store', await openMainStore(url), store => store.close())

const user = {
  login: 'anna',
  displayName: 'Änna',
  kind: 'ordinary' as const,
  passwordHash: 'x',
  capabilities: [],
  createdAt: 1,
}

it('the state of a database says what the doctor has to know, and how far its clock is off', async () => {
  const state = await inspectPostgres(await own(createEmptyDatabase()))
  expect(state).toMatchObject({ encoding: 'UTF8', isReadOnly: false, hasStores: false })
  // Of one machine; a minute is what the doctor tolerates.
  expect(Math.abs(state.clockAheadMs)).toBeLessThan(60_000)
})

describe('openMainStore on PostgreSQL', () => {
  it('migrates a new database once, for all servers that start at the same time', async () => {
    const url = await own(createEmptyDatabase())
    const open = [openMainStore, openIntegrationStore].flatMap(each => [each, each, each])
    const stores = await Promise.all(open.map(each => each(url)))
    for (const store of stores) await store.close()
    const { db } = await openMain(url)
    const { rows } = await sql<{ schema: string; count: number }>`
      SELECT table_schema AS schema, count(*) AS count FROM information_schema.tables
      WHERE table_schema IN ('lectern', 'integration', 'public') GROUP BY 1 ORDER BY 1`.execute(db)
    expect(rows).toEqual([
      { schema: 'integration', count: 5 },
      { schema: 'lectern', count: expect.any(Number) },
    ])
  })

  it('compiles no statements, unless options of the address say so', async () => {
    const url = await own(createTestDatabase())
    const settingsOf = async (address: string) => {
      const { db } = await openMain(address)
      return (
        await sql`SELECT current_setting('jit') AS jit, current_setting('search_path') AS path`.execute(db)
      ).rows
    }
    expect(await settingsOf(url)).toEqual([{ jit: 'off', path: 'lectern' }])
    const compiling = new URL(url)
    compiling.searchParams.set('options', '-c jit=on -c search_path=public')
    expect(await settingsOf(compiling.href)).toEqual([{ jit: 'on', path: 'lectern' }])
  })

  it('is left unchanged when a migration fails midway', async () => {
    const url = await own(createEmptyDatabase())
    const store = openPostgres({ url, schema: 'integration', maxConnections: 2 })
    const halfWay = () => Promise.reject(new Error('half-way'))
    await expect(migrate(store, [...integrationMigrations, halfWay])).rejects.toThrow('half-way')
    const { rows } = await sql`SELECT 1 FROM pg_namespace WHERE nspname = 'integration'`.execute(store.db)
    expect(rows).toEqual([])
    await store.close()
  })

  it('refuses a database that cannot store all characters, and creates nothing in it', async () => {
    const url = await own(
      createEmptyDatabase("ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"),
    )
    for (const open of [openMainStore, openIntegrationStore])
      await expect(open(url)).rejects.toThrow(
        'The database has the encoding LATIN1: create it with ENCODING UTF8.',
      )
    const store = openPostgres({ url, schema: 'lectern', maxConnections: 1 })
    const { rows } = await sql`SELECT 1 FROM pg_namespace WHERE nspname = 'lectern'`.execute(store.db)
    expect(rows).toEqual([])
    await store.close()
  })

  it('rejects a database that a newer version has migrated', async () => {
    const url = await own(createTestDatabase())
    const { db } = await openMain(url)
    await sql`COMMENT ON SCHEMA lectern IS 'Lectern, version 999'`.execute(db)
    await expect(openMainStore(url)).rejects.toThrow('newer version')
  })

  it('keeps ids of 64 bits, and returns counts and sums as numbers', async () => {
    const { db } = await openMain(await own(createTestDatabase()))
    const users = userStore(db)
    expect(await users.find(2 ** 40)).toBe(null)
    await users.add(user)
    const { rows } = await sql`SELECT count(*) AS count, sum(created_at) AS sum FROM users`.execute(db)
    expect(rows).toEqual([{ count: 1, sum: 1 }])
  })

  it('continues after another server has added a column to a table of a prepared statement', async () => {
    const url = await own(createTestDatabase())
    const [store, other] = [await openMain(url), await openMain(url)]
    const users = userStore(store.db)
    const added = await users.add(user)
    const id = added?.id as number
    for (let i = 0; i < 20; i++) await users.find(id)
    await sql`ALTER TABLE users ADD COLUMN later text`.execute(other.db)
    for (let i = 0; i < 20; i++) expect(await users.find(id)).toEqual(added)
  })

  it('searches case-insensitively in all alphabets', async () => {
    const { db } = await openMain(await own(createTestDatabase()))
    const users = userStore(db)
    await users.add({ ...user, displayName: 'ÉLODIE Жанна' })
    for (const search of ['élodie', 'ЖАННА'])
      expect(await users.page({ search }, { limit: 9 }), search).toHaveLength(1)
  })
})

describe('work of one server at a time', () => {
  it('stays with the server that performs it until that server stops', async () => {
    const url = await own(createTestDatabase())
    const [one, other] = [await openMain(url), await openMainStore(url)]
    const fails = () => Promise.reject(new Error('no'))
    await other.exclusively('sweep', async () => {
      expect(await one.exclusively('sweep', fails)).toBe(false)
      expect(await one.exclusively('another sweep', async () => {})).toBe(true)
    })
    await expect(other.exclusively('sweep', fails)).rejects.toThrow('no')
    let gone: Promise<unknown> = Promise.resolve()
    const { promise: held, resolve: end } = Promise.withResolvers<void>()
    await new Promise<void>(begun => {
      const work = () => {
        begun()
        return held
      }
      gone = other.exclusively('sweep', work).catch(() => {})
    })
    // Connections of this database only: other tests hold locks in theirs.
    await sql`SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
      WHERE locktype = 'advisory' AND pid <> pg_backend_pid() AND datname = current_database()`.execute(
      one.db,
    )
    while (!(await one.exclusively('sweep', async () => {}))) await new Promise(setImmediate)
    end()
    await gone
    await other.close()
  })
})

describe('work that one server at a time performs', () => {
  it('needs no connection of requests for its lock, however much of it begins at once', async () => {
    const url = await own(createTestDatabase())
    const store = lifetime.own('store', await openMainStore(url, { maxConnections: 2 }), each => each.close())
    const work = async () => void (await sql`SELECT pg_sleep(0.01)`.execute(store.db))
    const names = Array.from({ length: 12 }, (_, i) => `sweep ${i}`)
    const ran = await Promise.all(names.map(name => store.exclusively(name, work)))
    expect(ran).toEqual(names.map(() => true))
  })

  it('does not overlap itself on one server either', async () => {
    const url = await own(createTestDatabase())
    const store = await openMain(url)
    await store.exclusively('sweep', async () => {
      expect(await store.exclusively('sweep', async () => {})).toBe(false)
    })
    expect(await store.exclusively('sweep', async () => {})).toBe(true)
  })
})

describe('statements that cannot wait', () => {
  it('LEASE-12 renew the lease of a server while all of its connections are busy', async () => {
    const url = await own(createTestDatabase())
    const store = lifetime.own('store', await openMainStore(url, { maxConnections: 2 }), each => each.close())
    const leases = leaseStore(store.db, store.dialect.nowMs, store.urgent)
    await leases.register({ id: 'a', serverId: 'a', address: 'http://a' }, 3_000)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const busy = Array.from({ length: 2 }, () => store.db.connection().execute(() => released))
    try {
      expect(await leases.renew('a', 3_000)).toMatchObject({ others: [] })
      await leases.register({ id: 'b', serverId: 'b', address: 'http://b' }, 3_000)
    } finally {
      release()
      await Promise.all(busy)
    }
  })
})

describe('the access version', () => {
  it('grows for every server when access is revoked, whichever server writes it, and not before it is stored', async () => {
    const url = await own(createTestDatabase())
    const [store, other] = [await openMain(url), await openMain(url)]
    const { accessChanges } = store
    if (accessChanges.is !== 'remote') throw new Error('PostgreSQL is on another machine')
    const read = accessChanges.fetch
    const users = userStore(other.db)
    const id = (await users.add(user))?.id as number
    const first = await read()
    await users.update(id, { displayName: 'Anna' })
    expect(await read()).toBe(first)
    await users.update(id, { disabledAt: 5 })
    expect(await read()).toBe(first + 1)
    await sql`UPDATE users SET capabilities = '["admin"]'`.execute(other.db)
    expect(await read()).toBe(first + 2)
    await expect(
      other.db.transaction().execute(async transaction => {
        await transaction.updateTable('users').set({ deleted_at: 9 }).execute()
        expect(await read()).toBe(first + 2)
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await read()).toBe(first + 2)
  })

  it('grows when a link is replaced in the other store', async () => {
    const url = await own(createTestDatabase())
    const { accessChanges } = await openMain(url)
    if (accessChanges.is !== 'remote') throw new Error('PostgreSQL is on another machine')
    const integration = lifetime.own('store', await openIntegrationStore(url), store => store.close())
    const room = {
      ...{ client_id: 1, external_id: 'a', tag: 't', title: '', status: 'open', revision: 1, created_at: 1 },
      ...{ updated_at: 1, teacher_name: '', teacher_link_version: 1, teacher_link_name: '' },
      ...{ student_name: '', student_link_version: 1, student_link_name: '' },
    }
    await integration.db.insertInto('rooms').values(room).execute()
    const before = await accessChanges.fetch()
    await integration.db.updateTable('rooms').set({ title: 'x', student_link_version: 1 }).execute()
    expect(await accessChanges.fetch()).toBe(before)
    await integration.db.updateTable('rooms').set({ student_link_version: 2 }).execute()
    expect(await accessChanges.fetch()).toBe(before + 1)
  })
})
