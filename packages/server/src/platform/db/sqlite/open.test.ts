import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMainStore } from '../open.ts'
import { openSqlite } from './open.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lectern-sqlite-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

describe('openSqlite', () => {
  it.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['secure_delete', 1],
    ['foreign_keys', 1],
  ])('sets %s to %s', async (pragma, value) => {
    const store = openSqlite(join(dir, 'a.db'))
    const { rows } = await sql`PRAGMA ${sql.raw(pragma)}`.execute(store.db)
    await store.close()
    expect(rows).toEqual([{ [pragma]: value }])
  })

  it('creates the folder, and files readable only by their owner', async () => {
    const file = join(dir, 'deep', 'down', 'a.db')
    const store = await openMainStore(file)
    const files = [file, `${file}-wal`, `${file}-shm`]
    expect(files.filter(existsSync).map(path => statSync(path).mode & 0o777)).toEqual([0o600, 0o600, 0o600])
    await store.close()
  })

  it('waits for another process that is migrating the same new file', async () => {
    const file = join(dir, 'a.db')
    const driver = createRequire(import.meta.url).resolve('better-sqlite3')
    // SQLite blocks this process while it waits, so only the other one can end the wait, after a time.
    const program = `
      const db = require(${JSON.stringify(driver)})(${JSON.stringify(file)})
      db.pragma('journal_mode = WAL')
      db.exec('BEGIN IMMEDIATE; CREATE TABLE other (id INTEGER)')
      process.send('locked')
      setTimeout(() => { db.exec('COMMIT'); db.close(); process.exit() }, 300)`
    const other = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    await once(other, 'message')
    const store = await openMainStore(file)
    expect((await store.db.introspection.getTables()).map(table => table.name)).toContain('users')
    await store.close()
    if (other.exitCode === null) await once(other, 'exit')
  })
})
