import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openMainStore } from '../../../platform/db/open.ts'
import { roomDeletionStore } from '../v2/deletions.ts'
import { gradeStore } from './grades.ts'

const ALL = { all: 10, each: 10, except: [] }

it('of two servers that grade the same sessions, one queues the grades', async () => {
  const main = await openMainStore(':memory:')
  const store = gradeStore(main.db)
  const room = { tag: 'room', platformId: 'p', lineItem: 'https://school.example/items/1', lastSessionId: 7 }
  await store.saveResource(room.tag, room.platformId, room.lineItem)
  await store.add(room, [{ id: 'first', user: 'u', body: '{}' }], 1)
  await store.add(room, [{ id: 'second', user: 'u', body: '{}' }], 2)
  expect(await store.due(10, ALL)).toEqual([{ id: 'first', target: 'p' }])
  await store.add({ ...room, lastSessionId: 8 }, [{ id: 'third', user: 'u', body: '{}' }], 3)
  expect(await store.due(10, ALL)).toEqual([{ id: 'third', target: 'p' }])
  await main.close()
})

it('LTI-4 are there after a restart, and go with their room', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-grades-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const open = () => openMainStore(join(folder, 'lectern.db'))
  const ended = await open()
  const room = { tag: 'room', platformId: 'p', lineItem: 'https://school.example/items/1', lastSessionId: 7 }
  await gradeStore(ended.db).saveResource(room.tag, room.platformId, room.lineItem)
  await gradeStore(ended.db).add(room, [{ id: 'first', user: 'u', body: '{}' }], 1)
  await ended.close()

  const { db, close } = await open()
  expect(await gradeStore(db).due(10, ALL)).toEqual([{ id: 'first', target: 'p' }])
  const deletion = {
    tag: 'room',
    clientId: 1,
    externalId: 'lesson',
    metadata: {},
    people: [],
    requestedAtMs: 1,
  }
  await roomDeletionStore(db).complete(deletion, 2)
  expect(await gradeStore(db).due(10, ALL)).toEqual([])
  await close()
})

it('brings forward what is due later', async () => {
  const main = await openMainStore(':memory:')
  const store = gradeStore(main.db)
  const room = { tag: 'room', platformId: 'p', lineItem: 'https://school.example/items/1', lastSessionId: 7 }
  await store.saveResource(room.tag, room.platformId, room.lineItem)
  await store.add(room, [{ id: 'first', user: 'u', body: '{}' }], 100)
  await store.bringForward(50, 10)
  expect(await store.due(49, ALL)).toEqual([])
  expect(await store.due(50, ALL)).toHaveLength(1)
  await main.close()
})
