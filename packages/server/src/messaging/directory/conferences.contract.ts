import { describe, expect, it } from 'vitest'
import type { OrdinaryConferenceStore } from '../../sessions/stores/conferences.ts'

const conference = {
  tag: 'a',
  title: 'Ärger 👋',
  ownerId: 7,
  createdAtMs: 1_700_000_000_123,
  entry: 'open' as const,
  purpose: 'meeting' as const,
}

/** The contract of conference stores. Each call of `open` returns an empty one with the users 7 and 8. */
export function describeOrdinaryConferenceStore(open: () => Promise<OrdinaryConferenceStore>) {
  describe('ordinary conference store', () => {
    it('CONFERENCE-1 finds what was added', async () => {
      const store = await open()
      await store.add(conference)
      expect(await store.find('a')).toEqual(conference)
      expect(await store.find('b')).toBeNull()
    })

    it('CONFERENCE-2 lists those of one owner, newest first', async () => {
      const store = await open()
      for (let i = 1; i <= 3; i++) await store.add({ ...conference, tag: `t${i}`, createdAtMs: i })
      await store.add({ ...conference, tag: 'other', ownerId: 8 })
      expect((await store.listOf(7, 2)).map(({ tag }) => tag)).toEqual(['t3', 't2'])
      expect(await store.countOf(7)).toBe(3)
    })

    it('CALL-16 does not list or count conferences that were made for calls', async () => {
      const store = await open()
      await store.add({ ...conference, purpose: 'call' })
      await store.add({ ...conference, tag: 'b', purpose: 'past_call' })
      expect([await store.listOf(7, 10), await store.countOf(7)]).toEqual([[], 0])
      expect(await store.find('b')).toMatchObject({ tag: 'b', purpose: 'past_call' })
    })

    it('CONFERENCE-3 changes the title and the entry, together or alone', async () => {
      const store = await open()
      await store.add(conference)
      const changes = { title: 'new', entry: 'lobby' as const }
      expect(await store.update('a', changes, 5)).toEqual({ ...conference, ...changes })
      expect(await store.find('a')).toEqual({ ...conference, ...changes })
      expect(await store.update('b', changes, 5)).toBeNull()
      expect(await store.update('a', { title: 'newer' }, 6)).toMatchObject({ title: 'newer', entry: 'lobby' })
      expect(await store.update('a', { entry: 'open' }, 7)).toMatchObject({ title: 'newer', entry: 'open' })
    })

    it('CONFERENCE-5 changes the planned time, keeps it in other changes, and removes it', async () => {
      const store = await open()
      const planned = { startsAtMs: 1_900_000_000_000, endsAtMs: null }
      await store.add({ ...conference, planned })
      expect(await store.find('a')).toEqual({ ...conference, planned })
      const { title, entry } = conference
      expect(await store.update('a', { title, entry }, 5)).toMatchObject({ planned })
      const later = { startsAtMs: 1_900_000_600_000, endsAtMs: 1_900_001_200_000 }
      expect(await store.update('a', { title, entry, planned: later }, 6)).toMatchObject({ planned: later })
      expect(await store.update('a', { title, entry, planned: null }, 7)).toEqual(conference)
    })

    it('CONFERENCE-4 removes a conference and never reuses its tag', async () => {
      const store = await open()
      await store.add(conference)
      expect([await store.remove('a', 5), await store.remove('a', 6)]).toEqual([true, false])
      expect(await store.find('a')).toBeNull()
      expect(await store.listOf(7, 10)).toEqual([])
      expect(await store.countOf(7)).toBe(0)
      expect(await store.update('a', { title: 'x', entry: 'open' }, 7)).toBeNull()
      await expect(store.add(conference)).rejects.toThrow()
    })
  })
}
