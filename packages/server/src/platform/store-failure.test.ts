import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { storeFailure } from './store-failure.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-store-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
let file: string
let database: Database.Database
beforeEach(() => {
  file = join(folder, `${++count}.db`)
  database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE NOT NULL) STRICT')
  database.exec("INSERT INTO t VALUES (1, 'x')")
})

const failureOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return storeFailure(error)
  }
  throw new Error('nothing has failed')
}
const insert = (connection: Database.Database, ...values: unknown[]) =>
  connection.prepare('INSERT INTO t (b) VALUES (?)').run(...values)

describe('storeFailure', () => {
  it('calls a value that the store rejects an invalid argument', () => {
    expect(failureOf(() => insert(database, 'x'))).toBe('invalid_argument')
    expect(failureOf(() => insert(database, null))).toBe('invalid_argument')
    expect(failureOf(() => database.exec("INSERT INTO t VALUES ('no number', 'y')"))).toBe('invalid_argument')
  })

  it('calls a store that is full, locked or read-only unavailable', () => {
    const second = new Database(file, { timeout: 0 })
    second.exec('BEGIN IMMEDIATE')
    expect(failureOf(() => insert(new Database(file, { timeout: 0 }), 'y'))).toBe('temporarily_unavailable')
    second.exec('ROLLBACK')
    expect(failureOf(() => insert(new Database(file, { readonly: true }), 'y'))).toBe(
      'temporarily_unavailable',
    )
    const pages = database.pragma('page_count', { simple: true })
    database.pragma(`max_page_count = ${pages}`)
    expect(failureOf(() => insert(database, 'y'.repeat(100_000)))).toBe('temporarily_unavailable')
    expect(failureOf(() => new Database(join(folder, 'none'), { fileMustExist: true }))).toBe(
      'temporarily_unavailable',
    )
  })

  it('calls a full disk unavailable', () => {
    expect(failureOf(() => writeSync(openSync('/dev/full', 'w'), 'x'))).toBe('temporarily_unavailable')
  })

  it('returns null for other errors', () => {
    expect(failureOf(() => database.exec('SELECT * FROM nowhere'))).toBe(null)
    for (const error of [new Error('x'), undefined, null, { code: 7 }]) expect(storeFailure(error)).toBe(null)
  })
})
