import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { prepared, preparedByName } from './prepared.ts'
import { openSqlite } from './sqlite/open.ts'

interface Schema {
  people: { id: number; name: string; age: number }
}

async function open() {
  const store = openSqlite<Schema>(':memory:')
  await sql`CREATE TABLE people (id INTEGER, name TEXT, age INTEGER)`.execute(store.db)
  const insert = preparedByName(store.db, ['name', 'id'], (row: { id: number; name: string }) =>
    store.db
      .insertInto('people')
      .values({ ...row, age: 1 })
      .returningAll(),
  )
  const select = prepared(store.db, (name: string) =>
    store.db.selectFrom('people').selectAll().where('age', '=', 1).where('name', '=', name),
  )
  return { store, insert, select }
}

it('a prepared query keeps its constants and takes its values by position or by name', async () => {
  const { store, insert, select } = await open()
  expect(await insert({ id: 7, name: 'Anna' })).toEqual([{ id: 7, name: 'Anna', age: 1 }])
  expect(await insert({ id: 8, name: 'Ben' })).toEqual([{ id: 8, name: 'Ben', age: 1 }])
  expect(await select('Ben')).toEqual([{ id: 8, name: 'Ben', age: 1 }])
  await store.close()
})

it('a prepared query may be written as SQL, and keeps its constants, too', async () => {
  const { store, insert } = await open()
  await insert({ id: 7, name: 'Anna' })
  const count = prepared(
    store.db,
    (name: string) =>
      sql<{ n: number }>`SELECT count(*) AS n FROM people WHERE age = ${1} AND name = ${name}`,
  )
  expect([await count('Anna'), await count('Ben')]).toEqual([[{ n: 1 }], [{ n: 0 }]])
  await store.close()
})

it('a prepared read never sees what a transaction in progress may roll back', async () => {
  const { store, select } = await open()
  let fail = () => {}
  const failed = store.dialect.alone(store.db as never, async db => {
    await sql`INSERT INTO people VALUES (7, 'Anna', 1)`.execute(db)
    await new Promise<void>((_, reject) => {
      fail = () => reject(new Error('no'))
    })
  })
  failed.catch(() => {})
  await nextTurn()
  const reading = select('Anna')
  await nextTurn()
  fail()
  await expect(failed).rejects.toThrow('no')
  expect(await reading).toEqual([])
  await store.close()
})
