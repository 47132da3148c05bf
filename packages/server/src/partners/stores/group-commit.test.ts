import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../platform/db/sqlite/open.ts'
import type { Store } from '../../platform/db/store.ts'
import { groupCommit } from './group-commit.ts'

type Schema = { notes: { text: string } }

let dir: string
let store: Store<Schema>
/** The store as another process sees it. */
let other: Store<Schema>
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lectern-group-commit-'))
  store = openSqlite(join(dir, 'a.db'))
  other = openSqlite(join(dir, 'a.db'))
  await store.db.schema
    .createTable('notes')
    .addColumn('text', 'text', text => text.unique())
    .execute()
})
afterEach(async () => {
  await store.close()
  await other.close()
  rmSync(dir, { recursive: true })
})

const committed = async () =>
  (await other.db.selectFrom('notes').select('text').orderBy('text').execute()).map(({ text }) => text)

/** Inserts a text, which must be unique, and returns it. */
function useNote() {
  const together = groupCommit(store.db)
  return (text: string) =>
    together(async db => {
      await db.insertInto('notes').values({ text }).execute()
      return text
    })
}

describe('groupCommit', () => {
  it('returns each write its own result once it is visible to others', async () => {
    const note = useNote()
    const [a, b] = [note('a'), note('b')]
    expect(await committed()).toEqual([])
    expect(await a).toBe('a')
    expect(await committed()).toEqual(['a', 'b'])
    expect(await b).toBe('b')
  })

  it('rejects and rolls back a group as a whole', async () => {
    const note = useNote()
    await note('a')
    const results = await Promise.allSettled(['b', 'a', 'c'].map(note))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await committed()).toEqual(['a'])
    expect(await note('d')).toBe('d')
  })

  it('reports a full disk, and continues when there is space again', async () => {
    const note = useNote()
    await sql`PRAGMA max_page_count = 3`.execute(store.db)
    const results = await Promise.allSettled(['a', 'b'.repeat(20_000)].map(note))
    for (const result of results) expect(result).toMatchObject({ reason: { code: 'SQLITE_FULL' } })
    await sql`PRAGMA max_page_count = 1000`.execute(store.db)
    expect(await note('c')).toBe('c')
    expect(await committed()).toEqual(['c'])
  })

  it('separates groups of different event loop turns', async () => {
    const note = useNote()
    const first = note('a')
    await nextTurn()
    const second = note('a')
    expect(await first).toBe('a')
    await expect(second).rejects.toThrow('UNIQUE')
    expect(await committed()).toEqual(['a'])
  })
})
