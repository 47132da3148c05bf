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

    it('CONFERENCE-3 changes the title and the entry', async () => {
      const store = await open()
      await store.add(conference)
      const changes = { title: 'new', entry: 'lobby' as const }
      expect(await store.update('a', changes)).toEqual({ ...conference, ...changes })
      expect(await store.find('a')).toEqual({ ...conference, ...changes })
      expect(await store.update('b', changes)).toBeNull()
    })

    it('CONFERENCE-4 removes a conference and never reuses its tag', async () => {
      const store = await open()
      await store.add(conference)
      expect([await store.remove('a'), await store.remove('a')]).toEqual([true, false])
      expect(await store.find('a')).toBeNull()
      expect(await store.listOf(7, 10)).toEqual([])
      expect(await store.countOf(7)).toBe(0)
      expect(await store.update('a', { title: 'x', entry: 'open' })).toBeNull()
      await expect(store.add(conference)).rejects.toThrow()
    })
  })
}
