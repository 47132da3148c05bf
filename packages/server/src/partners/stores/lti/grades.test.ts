import { expect, it } from 'vitest'
import { openMainStore } from '../../../platform/db/open.ts'
import { gradeStore } from './grades.ts'

it('of two servers that grade the same sessions, one queues the grades', async () => {
  const main = await openMainStore(':memory:')
  const store = gradeStore(main.db)
  const room = { tag: 'room', platformId: 'p', lineItem: 'https://school.example/items/1', lastSessionId: 7 }
  await store.saveResource(room.tag, room.platformId, room.lineItem)
  await store.add(room, [{ id: 'first', user: 'u', body: '{}' }], 1)
  await store.add(room, [{ id: 'second', user: 'u', body: '{}' }], 2)
  expect(await store.due(10, { all: 10, each: 10, except: [] })).toEqual([{ id: 'first', target: 'p' }])
  await store.add({ ...room, lastSessionId: 8 }, [{ id: 'third', user: 'u', body: '{}' }], 3)
  expect(await store.due(10, { all: 10, each: 10, except: [] })).toEqual([{ id: 'third', target: 'p' }])
  await main.close()
})

it('brings forward what is due later', async () => {
  const main = await openMainStore(':memory:')
  const store = gradeStore(main.db)
  const room = { tag: 'room', platformId: 'p', lineItem: 'https://school.example/items/1', lastSessionId: 7 }
  await store.saveResource(room.tag, room.platformId, room.lineItem)
  await store.add(room, [{ id: 'first', user: 'u', body: '{}' }], 100)
  await store.bringForward(50, 10)
  expect(await store.due(49, { all: 10, each: 10, except: [] })).toEqual([])
  expect(await store.due(50, { all: 10, each: 10, except: [] })).toHaveLength(1)
  await main.close()
})
