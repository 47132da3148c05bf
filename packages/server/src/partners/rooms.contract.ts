import { describe, expect, it } from 'vitest'
import type { Page } from '../platform/paging.ts'
import type { NewRoom, RoomFilter } from './ports.ts'
import type { RoomStore } from './stores/rooms.ts'

const lesson: NewRoom = {
  clientId: 7,
  externalId: 'lesson-1',
  tag: 'aaaa-bbbbb-cccc',
  title: 'Algebra',
  description: null,
  startsAt: '2026-09-01T10:00:00+03:00',
  endsAt: null,
  status: 'scheduled',
  settings: {},
  people: {
    teacher: { displayName: 'Ms T', externalId: 't-1', link: { version: 1, name: 'Ms T' } },
    student: { displayName: '', externalId: null, link: { version: 3, name: 'Sam' } },
  },
  board: 'fresh',
}

/** The contract of room stores. Each call of `open` returns an empty one. */
export function describeRoomStore(open: () => Promise<RoomStore>) {
  describe('room store', () => {
    it('ROOM-1 returns what was added, by external id and by tag', async () => {
      const rooms = await open()
      const { room } = await rooms.findOrAdd(lesson, 100)
      expect(room).toEqual({ ...lesson, roomId: expect.any(Number), revision: expect.any(Number) })
      expect(await rooms.find(7, 'lesson-1')).toEqual(room)
      expect(await rooms.findByTag(lesson.tag)).toEqual(room)
      expect(await rooms.findOwnByTag(lesson.clientId, lesson.tag)).toEqual(room)
    })

    it('ROOM-2 finds nothing under another owner, id or tag', async () => {
      const rooms = await open()
      await rooms.findOrAdd(lesson, 100)
      expect(await rooms.find(8, 'lesson-1')).toBeNull()
      expect(await rooms.find(7, 'Lesson-1')).toBeNull()
      expect(await rooms.find(7, 'lesson-1 ')).toBeNull()
      expect(await rooms.findByTag('aaaa-bbbbb-cccd')).toBeNull()
      expect(await rooms.findOwnByTag(lesson.clientId + 1, lesson.tag)).toBeNull()
    })

    it('ROOM-3 returns the existing room unchanged instead of a second one', async () => {
      const rooms = await open()
      const first = await rooms.findOrAdd(lesson, 100)
      expect(first.created).toBe(true)
      expect(await rooms.findOrAdd({ ...lesson, tag: 'dddd-eeeee-ffff', title: 'X' }, 200)).toEqual({
        room: first.room,
        created: false,
      })
    })

    it('ROOM-4 creates one room for concurrent callers', async () => {
      const rooms = await open()
      const tag = (i: number) => `aaaa-bbbbb-cc${String(i).padStart(2, '0')}`
      const calls = Array.from({ length: 20 }, (_, i) => rooms.findOrAdd({ ...lesson, tag: tag(i) }, 100))
      const answers = await Promise.all(calls)
      expect(new Set(answers.map(({ room }) => room.tag)).size).toBe(1)
      expect(answers.filter(({ created }) => created)).toHaveLength(1)
    })

    it('ROOM-5 separates the rooms of two owners', async () => {
      const rooms = await open()
      const { room: ours } = await rooms.findOrAdd(lesson, 100)
      const { room: theirs } = await rooms.findOrAdd({ ...lesson, clientId: 8, tag: 'dddd-eeeee-ffff' }, 100)
      expect(theirs.roomId).not.toBe(ours.roomId)
      expect(await rooms.find(8, 'lesson-1')).toEqual(theirs)
    })

    it('ROOM-6 updates the content but never the identity (HOSTED-2)', async () => {
      const rooms = await open()
      const { room } = await rooms.findOrAdd(lesson, 100)
      const content = {
        title: 'Geometry',
        description: 'Bring a ruler',
        startsAt: null,
        endsAt: '2026-09-01T12:00:00Z',
        status: 'cancelled' as const,
        settings: { lobby: true },
        people: {
          teacher: { displayName: '', externalId: null, link: { version: 2, name: '' } },
          student: { displayName: 'Sam', externalId: 's-1', link: { version: 4, name: 'Sam' } },
        },
        board: 'keep' as const,
      }
      const updated = await rooms.update(room, content, 200)
      expect(updated).toEqual({ ...room, ...content, revision: updated?.revision })
      expect(await rooms.find(7, 'lesson-1')).toEqual(updated)
    })

    it('ROOM-7 rejects an update of a stale revision', async () => {
      const rooms = await open()
      const { room } = await rooms.findOrAdd(lesson, 100)
      const newer = await rooms.update(room, { ...room, title: 'First' }, 200)
      expect(await rooms.update(room, { ...room, title: 'Second' }, 300)).toBeNull()
      expect((await rooms.find(7, 'lesson-1'))?.title).toBe('First')
      expect(await rooms.update(newer ?? room, { ...room, title: 'Second' }, 300)).not.toBeNull()
    })

    it('ROOM-8 supports ids of maximum length and with any characters', async () => {
      const rooms = await open()
      for (const [i, externalId] of ['👋'.repeat(255), ' a ', 'a/b?c#d%', "'; --", 'ж'].entries()) {
        const { room } = await rooms.findOrAdd({ ...lesson, externalId, tag: `aaaa-bbbbb-ccc${i + 2}` }, 100)
        expect(await rooms.find(7, externalId)).toEqual(room)
      }
    })

    it('ROOM-9 lists pages of the rooms of one owner, newest first, by status, person or part of a name', async () => {
      const rooms = await open()
      const link = { version: 1, name: '' }
      const add = async (number: number, changes: Partial<NewRoom> = {}) => {
        const externalId = `lesson-${number}`
        const { room } = await rooms.findOrAdd(
          { ...lesson, externalId, tag: `aaaa-bbbbb-ccc${number}`, title: `Урок ${number}`, ...changes },
          100,
        )
        return room
      }
      const student = { displayName: '', externalId: 's-1', link }
      await add(1)
      const two = await add(2, { status: 'closed', people: { ...lesson.people, student } })
      await add(3, { people: { teacher: { ...student, externalId: 't-2' }, student } })
      await add(4, { clientId: 8, people: { ...lesson.people, student } })
      const ids = async (filter: RoomFilter, page: Page) =>
        (await rooms.list(7, filter, page)).map(({ externalId }) => externalId)
      const all = { limit: 9 }
      expect(await ids({}, { limit: 2 })).toEqual(['lesson-3', 'lesson-2'])
      expect(await ids({}, { limit: 2, before: two.roomId })).toEqual(['lesson-1'])
      expect(await ids({ status: 'closed' }, all)).toEqual(['lesson-2'])
      expect(await ids({ teacher: 't-1' }, all)).toEqual(['lesson-2', 'lesson-1'])
      expect(await ids({ student: 's-1' }, all)).toEqual(['lesson-3', 'lesson-2'])
      expect(await ids({ student: 's-1', teacher: 't-1', status: 'scheduled' }, all)).toEqual([])
      expect(await ids({ search: 'УРОК 3' }, all)).toEqual(['lesson-3'])
      expect(await ids({ search: 'урок', status: 'scheduled' }, all)).toEqual(['lesson-3', 'lesson-1'])
      expect(await ids({ search: '%' }, all)).toEqual([])
    })
  })
}
