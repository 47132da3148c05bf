import { describe, expect, it } from 'vitest'
import type { NewRoom, RoomStore } from './ports.ts'

const lesson: NewRoom = {
  clientId: 7,
  externalId: 'lesson-1',
  tag: 'aaaa-bbbbb-cccc',
  title: 'Algebra',
  description: null,
  startsAt: '2026-09-01T10:00:00+03:00',
  endsAt: null,
  status: 'scheduled',
  people: {
    teacher: { displayName: 'Ms T', externalId: 't-1', link: { version: 1, name: 'Ms T' } },
    student: { displayName: '', externalId: null, link: { version: 3, name: 'Sam' } },
  },
}

/** The contract of room stores. Each call of `open` returns an empty one. */
export function describeRoomStore(open: () => Promise<RoomStore>) {
  describe('room store', () => {
    it('ROOM-1 returns what was added, by external id and by tag', async () => {
      const rooms = await open()
      const room = await rooms.findOrAdd(lesson, 100)
      expect(room).toEqual({ ...lesson, roomId: expect.any(Number), revision: expect.any(Number) })
      expect(await rooms.find(7, 'lesson-1')).toEqual(room)
      expect(await rooms.findByTag(lesson.tag)).toEqual(room)
    })

    it('ROOM-2 finds nothing under another owner, id or tag', async () => {
      const rooms = await open()
      await rooms.findOrAdd(lesson, 100)
      expect(await rooms.find(8, 'lesson-1')).toBeNull()
      expect(await rooms.find(7, 'Lesson-1')).toBeNull()
      expect(await rooms.find(7, 'lesson-1 ')).toBeNull()
      expect(await rooms.findByTag('aaaa-bbbbb-cccd')).toBeNull()
    })

    it('ROOM-3 returns the existing room unchanged instead of a second one', async () => {
      const rooms = await open()
      const first = await rooms.findOrAdd(lesson, 100)
      expect(await rooms.findOrAdd({ ...lesson, tag: 'dddd-eeeee-ffff', title: 'X' }, 200)).toEqual(first)
    })

    it('ROOM-4 creates one room for concurrent callers', async () => {
      const rooms = await open()
      const tag = (i: number) => `aaaa-bbbbb-cc${String(i).padStart(2, '0')}`
      const calls = Array.from({ length: 20 }, (_, i) => rooms.findOrAdd({ ...lesson, tag: tag(i) }, 100))
      expect(new Set((await Promise.all(calls)).map(room => room.tag)).size).toBe(1)
    })

    it('ROOM-5 separates the rooms of two owners', async () => {
      const rooms = await open()
      const ours = await rooms.findOrAdd(lesson, 100)
      const theirs = await rooms.findOrAdd({ ...lesson, clientId: 8, tag: 'dddd-eeeee-ffff' }, 100)
      expect(theirs.roomId).not.toBe(ours.roomId)
      expect(await rooms.find(8, 'lesson-1')).toEqual(theirs)
    })

    it('ROOM-6 updates the content but never the identity', async () => {
      const rooms = await open()
      const room = await rooms.findOrAdd(lesson, 100)
      const content = {
        title: 'Geometry',
        description: 'Bring a ruler',
        startsAt: null,
        endsAt: '2026-09-01T12:00:00Z',
        status: 'cancelled' as const,
        people: {
          teacher: { displayName: '', externalId: null, link: { version: 2, name: '' } },
          student: { displayName: 'Sam', externalId: 's-1', link: { version: 4, name: 'Sam' } },
        },
      }
      const updated = await rooms.update(room, content, 200)
      expect(updated).toEqual({ ...room, ...content, revision: updated?.revision })
      expect(await rooms.find(7, 'lesson-1')).toEqual(updated)
    })

    it('ROOM-7 rejects an update of a stale revision', async () => {
      const rooms = await open()
      const room = await rooms.findOrAdd(lesson, 100)
      const newer = await rooms.update(room, { ...room, title: 'First' }, 200)
      expect(await rooms.update(room, { ...room, title: 'Second' }, 300)).toBeNull()
      expect((await rooms.find(7, 'lesson-1'))?.title).toBe('First')
      expect(await rooms.update(newer ?? room, { ...room, title: 'Second' }, 300)).not.toBeNull()
    })

    it('ROOM-8 supports ids of maximum length and with any characters', async () => {
      const rooms = await open()
      for (const [i, externalId] of ['👋'.repeat(255), ' a ', 'a/b?c#d%', "'; --", 'ж'].entries()) {
        const room = await rooms.findOrAdd({ ...lesson, externalId, tag: `aaaa-bbbbb-ccc${i + 2}` }, 100)
        expect(await rooms.find(7, externalId)).toEqual(room)
      }
    })
  })
}
