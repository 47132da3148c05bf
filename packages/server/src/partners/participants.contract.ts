import { describe, expect, it } from 'vitest'
import type { ParticipantStore } from './stores/participants.ts'

/** The contract of participant stores. Each call of `open` returns an empty one. */
export function describeParticipantStore(open: () => Promise<ParticipantStore>) {
  describe('participant store', () => {
    it('PARTICIPANT-1 finds the account that a person is bound to', async () => {
      const participants = await open()
      expect(await participants.find(7, 'pupil')).toBeNull()
      expect(await participants.bind(7, 'pupil', 42, 100)).toBe(42)
      expect(await participants.find(7, 'pupil')).toBe(42)
    })

    it('PARTICIPANT-2 keeps the first binding and returns its account', async () => {
      const participants = await open()
      await participants.bind(7, 'pupil', 42, 100)
      expect(await participants.bind(7, 'pupil', 43, 200)).toBe(42)
      expect(await participants.find(7, 'pupil')).toBe(42)
    })

    it('PARTICIPANT-3 separates owners and ids', async () => {
      const participants = await open()
      await participants.bind(7, 'pupil', 42, 100)
      expect(await participants.bind(8, 'pupil', 43, 100)).toBe(43)
      expect(await participants.bind(7, 'Pupil', 44, 100)).toBe(44)
      expect(await participants.find(7, 'pupil')).toBe(42)
    })

    it('PARTICIPANT-4 binds one account for concurrent callers', async () => {
      const participants = await open()
      const calls = Array.from({ length: 20 }, (_, i) => participants.bind(7, 'pupil', i + 1, 100))
      expect(new Set(await Promise.all(calls)).size).toBe(1)
    })
  })
}
