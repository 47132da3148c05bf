import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { userStore } from '../../../accounts/stores/users.ts'
import { createEmptyDatabase, createTestDatabase } from '../../../testing/database.ts'
import { queryPostgres } from '../../../testing/query.ts'
import { Lifetime } from '../../lifetime.ts'
import { createLog } from '../../log.ts'
import { copyStores } from '../copy.ts'
import { openIntegrationStore, openMainStore } from '../open.ts'
import { lockForServer } from '../sqlite/server-lock.ts'

const MESSAGES = 20_000
/** The command line, as built. */
const LECTERN = fileURLToPath(new URL('../../../../../cli/bin/lectern.js', import.meta.url))

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const lifetime = new Lifetime(createLog('silent'))
const dir = mkdtempSync(join(tmpdir(), 'lectern-copy-'))
lifetime.own('folder', dir, () => rmSync(dir, { recursive: true }))
afterAll(lifetime.close)
const [main, integration] = [join(dir, 'lectern.db'), join(dir, 'integration.db')]

const newDatabase = async (create = createEmptyDatabase) =>
  lifetime.own('database', await create(), database => database.drop()).url

beforeAll(async () => {
  const { db, close } = await openMainStore(main)
  const users = userStore(db)
  for (const login of ['anna', 'ben', 'жанна'])
    await users.add({
      login,
      displayName: `${login} "quoted" \\ 😀`,
      kind: 'ordinary',
      passwordHash: null,
      capabilities: [],
      createdAt: 1_700_000_000,
    })
  await close()
  await (await openIntegrationStore(integration)).close()
  const file = new Database(main)
  const insert = file.prepare(`INSERT INTO chat_messages
    (chat_id, user_id, command_id, display_name, text, sent_at_ms) VALUES (?, ?, ?, ?, ?, ?)`)
  file.transaction(() => {
    for (let i = 1; i <= MESSAGES; i++)
      insert.run(
        `conference:${i % 50}`,
        1 + (i % 3),
        `c${i}`,
        'Änna',
        `message ${i} ${'x'.repeat(i % 200)}`,
        1e12 + i,
      )
    file.exec(`INSERT INTO samples VALUES (60000, 1, 2, 3, 5, 0, 1, 1.5, 0.25, 1e8, 0.1, NULL, 7, NULL)`)
    file.exec(`DELETE FROM chat_messages WHERE id > ${MESSAGES - 5}`)
  })()
  file.close()
  const partner = new Database(integration)
  partner.exec(`INSERT INTO service_accounts VALUES ('school', 1, 'plain:x', '[]', 1, 5)`)
  partner.close()
})

const rowsOf = (file: string, table: string) => {
  const database = new Database(file, { readonly: true })
  try {
    return database.prepare(`SELECT * FROM ${table} ORDER BY 1`).all()
  } finally {
    database.close()
  }
}

const countUsers = async (url: string) => {
  const [row] = await queryPostgres<{ name: string | null }>(
    url,
    "SELECT to_regclass('lectern.users') AS name",
  )
  if (!row?.name) return 0
  const [users] = await queryPostgres<{ count: string }>(url, 'SELECT count(*) FROM lectern.users')
  return Number(users?.count)
}

describe('copyStores', () => {
  it('is refused while a server uses the files', async () => {
    const to = await newDatabase()
    const unlock = lockForServer(main)
    const copied = copyStores({ main, integration, to, onProgress: () => {} })
    await expect(copied).rejects.toThrow(/^Another server is using .*lectern\.db: stop it/)
    unlock()
  })

  it('copies every row of both stores, and continues their ids', async () => {
    const to = await newDatabase()
    const progress: string[] = []
    const copied = await copyStores({
      main,
      integration,
      to,
      onProgress: ({ table, rows, total }) => progress.push(`${table} ${rows}/${total}`),
    })
    expect(copied).toContainEqual({ table: 'lectern.chat_messages', rows: MESSAGES - 5 })
    expect(copied).toContainEqual({ table: 'integration.service_accounts', rows: 1 })
    expect(progress).toContain(`lectern.chat_messages ${MESSAGES - 5}/${MESSAGES - 5}`)

    const store = lifetime.own('store', await openMainStore(to), each => each.close())
    for (const table of ['users', 'chat_messages', 'samples']) {
      const { rows } = await sql`SELECT * FROM ${sql.id(table)} ORDER BY 1`.execute(store.db)
      expect(rows, table).toEqual(rowsOf(main, table))
    }
    const message = {
      chat_id: 'a',
      user_id: 1,
      command_id: 'x',
      display_name: '',
      text: 'new',
      sent_at_ms: 1,
    }
    const added = store.db.insertInto('chat_messages').values(message).returning('id')
    expect(await added.executeTakeFirst()).toEqual({ id: MESSAGES - 4 })
  })

  it('refuses a database with rows, and changes nothing', async () => {
    const to = await newDatabase(createTestDatabase)
    await queryPostgres(to, `INSERT INTO integration.service_accounts VALUES ('x', 1, '', '', 1, 1)`)
    const copying = copyStores({ main, integration, to, onProgress: () => {} })
    await expect(copying).rejects.toThrow('not empty: there are rows in integration.service_accounts')
    expect(await countUsers(to)).toBe(0)
  })

  it('names the table of a value that PostgreSQL cannot store, and changes nothing', async () => {
    const odd = join(dir, 'odd.db')
    await (await openMainStore(odd)).close()
    const file = new Database(odd)
    file.exec(
      "INSERT INTO conferences (tag, title, owner_id, created_at_ms, removed) VALUES ('a', 'b' || char(0), 1, 1, 0)",
    )
    file.close()
    const to = await newDatabase()
    const copying = copyStores({ main: odd, integration: null, to, onProgress: () => {} })
    await expect(copying).rejects.toThrow('lectern.conferences: invalid byte sequence')
    expect(await countUsers(to)).toBe(0)
  })

  it('refuses a file that does not exist, and creates none', async () => {
    const missing = join(dir, 'missing.db')
    const copying = copyStores({
      main: missing,
      integration: null,
      to: await newDatabase(),
      onProgress: () => {},
    })
    await expect(copying).rejects.toThrow('There is no file')
    expect(existsSync(missing)).toBe(false)
  })

  it('leaves the database empty after a kill -9, so that the command can be repeated', async () => {
    const to = await newDatabase()
    const run = () =>
      spawn(process.execPath, [LECTERN, 'db', 'copy', '--from', main, '--to', to, '--json'], {
        cwd: dir,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    const killed = run()
    const isCopying = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'INSERT INTO "lectern"."chat_messages"%'`
    while ((await queryPostgres(to, isCopying)).length === 0) {
      expect(killed.exitCode).toBe(null)
      await delay(5)
    }
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    expect(await countUsers(to)).toBe(0)

    const again = run()
    const [output] = await Promise.all([text(again.stdout), once(again, 'exit')])
    const { tables } = JSON.parse(output)
    expect(tables).toContainEqual({ table: 'lectern.chat_messages', rows: MESSAGES - 5 })
    expect(tables).toContainEqual({ table: 'integration.service_accounts', rows: 1 })
    expect(await countUsers(to)).toBe(3)
  })
})
