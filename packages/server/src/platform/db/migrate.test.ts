import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from './migrate.ts'
import { integrationMigrations } from './migrations/integration.ts'
import { openIntegrationStore, openMainStore } from './open.ts'
import { openSqlite } from './sqlite/open.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lectern-migrate-'))
  file = join(dir, 'a.db')
})
afterEach(() => rmSync(dir, { recursive: true }))

function inFile<T>(work: (db: Database.Database) => T): T {
  const db = new Database(file)
  try {
    return work(db)
  } finally {
    db.close()
  }
}
const schema = () => inFile(db => db.prepare('SELECT type, name, sql FROM sqlite_master').all())
const tables = () =>
  inFile(db => db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all())

describe('the integration store', () => {
  it('has exactly five tables', async () => {
    await (await openIntegrationStore(file)).close()
    expect(tables()).toEqual([
      'participants',
      'rooms',
      'service_accounts',
      'webhook_deliveries',
      'webhook_subscriptions',
    ])
  })

  it('keeps the deliveries of an older version with their due times', async () => {
    const old = openSqlite(file)
    await migrate(old, integrationMigrations.slice(0, 1))
    await old.close()
    inFile(db =>
      db.exec(`INSERT INTO webhook_deliveries VALUES
        ('wh_1', 'school', 'recording.ready', 'a', '{}', 'pending', 1, 1700000000, 503, 'x', 1, 1)`),
    )
    await (await openIntegrationStore(file)).close()
    expect(inFile(db => db.prepare('SELECT * FROM webhook_deliveries').all())).toMatchObject([
      { id: 'wh_1', status: 'pending', next_attempt_at_ms: 1_700_000_000_000, lease: null },
    ])
  })

  it('has the documented columns of a service account', async () => {
    await (await openIntegrationStore(file)).close()
    const columns = inFile(db => db.pragma('table_info(service_accounts)') as { name: string }[])
    expect(columns.map(column => column.name)).toEqual([
      'name',
      'client_id',
      'secret_hash',
      'scopes',
      'enabled',
      'created_at',
    ])
  })
})

describe('migrate', () => {
  it.each([
    ['main', openMainStore],
    ['integration', openIntegrationStore],
  ])('changes nothing in a %s store that is up to date', async (_name, open) => {
    await (await open(file)).close()
    const before = schema()
    await (await open(file)).close()
    expect(schema()).toEqual(before)
  })

  it('rejects a store written by a newer version', async () => {
    await (await openIntegrationStore(file)).close()
    inFile(db => db.pragma(`user_version = ${integrationMigrations.length + 1}`))
    await expect(openIntegrationStore(file)).rejects.toThrow('newer version')
  })

  it('leaves a store unchanged when a migration fails midway', async () => {
    const store = openSqlite(file)
    const halfWay = async () => {
      throw new Error('half-way')
    }
    await expect(migrate(store, [...integrationMigrations, halfWay])).rejects.toThrow('half-way')
    await store.close()
    expect(tables()).toEqual([])
    expect(inFile(db => db.pragma('user_version', { simple: true }))).toBe(0)
  })
})
