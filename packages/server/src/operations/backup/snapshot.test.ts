import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { snapshotTogether } from './snapshot.ts'

const FILLER = 'x'.repeat(100_000)
const ROWS = 60 // more than two steps of pages

let folder: string
let databases: Database.Database[]
const file = (name: string) => join(folder, name)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-snapshot-'))
  databases = ['first.db', 'second.db'].map(name => {
    const database = new Database(file(name))
    database.pragma('journal_mode = WAL')
    database.exec(
      'CREATE TABLE counter (n INTEGER); INSERT INTO counter VALUES (0); CREATE TABLE filler (text TEXT)',
    )
    const add = database.prepare('INSERT INTO filler VALUES (?)')
    database.transaction(() => {
      for (let row = 0; row < ROWS; row++) add.run(FILLER)
    })()
    return database
  })
})
afterEach(() => {
  for (const database of databases) database.close()
  rmSync(folder, { recursive: true })
})

const count = (database: Database.Database) =>
  database.prepare('SELECT n FROM counter').pluck().get() as number
const increment = (database: Database.Database | undefined) => database?.exec('UPDATE counter SET n = n + 1')
const copies = () => ['first', 'second'].map(name => ({ from: file(`${name}.db`), to: file(`${name}.copy`) }))

function read(name: string) {
  const copy = new Database(file(name), { readonly: true })
  const found = {
    count: count(copy),
    rows: copy.prepare('SELECT count(*) FROM filler').pluck().get(),
    mode: copy.pragma('journal_mode', { simple: true }),
  }
  copy.close()
  return found
}

describe('a snapshot', () => {
  it('BACKUP-3 contains all databases as of one moment, whatever is written meanwhile', async () => {
    for (const each of databases) increment(each)
    let steps = 0
    await snapshotTogether(copies(), () => {
      steps++
      // The second database changes before it is copied, the first one after a part of it was.
      for (const each of databases) increment(each)
    })
    expect(steps).toBeGreaterThan(3)
    expect(databases.map(count)).toEqual([steps + 1, steps + 1])
    for (const name of ['first.copy', 'second.copy'])
      expect(read(name)).toEqual({ count: 1, rows: ROWS, mode: 'delete' })
    expect(existsSync(file('first.copy-wal'))).toBe(false)
  })

  it('BACKUP-3 never waits for one writer while it blocks another', async () => {
    const [first, second] = databases
    second?.exec('BEGIN IMMEDIATE')
    increment(second)
    const statements = vi.spyOn(Database.prototype, 'exec')
    onTestFinished(() => statements.mockRestore())
    const attempts = () => statements.mock.calls.filter(([text]) => text === 'BEGIN IMMEDIATE').length
    const done = snapshotTogether(copies(), () => {})
    // Would fail if the snapshot held the lock of the first database while it waits for the lock of the second.
    first?.pragma('busy_timeout = 0')
    await expect.poll(attempts).toBeGreaterThan(2) // it repeats what failed
    increment(first)
    second?.exec('COMMIT')
    await done
    expect([read('first.copy').count, read('second.copy').count]).toEqual([1, 1])
  })

  it('replaces the remains of an interrupted one', async () => {
    writeFileSync(file('first.copy.part'), 'half a copy')
    await snapshotTogether(copies(), () => {})
    expect(read('first.copy').rows).toBe(ROWS)
    expect(existsSync(file('first.copy.part'))).toBe(false)
  })
})
