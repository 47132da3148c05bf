import { describe, expect, it } from 'vitest'
import type { ParticipantStore, SessionStore, StoredParticipant } from '../ports.ts'
import { localLease } from './local-lease.ts'

interface Stores {
  participants: ParticipantStore & { sweep(): Promise<void> }
  sessions: SessionStore
}

const participant = (participantId: string, changes: Partial<StoredParticipant> = {}): StoredParticipant => ({
  participantId,
  userId: 7,
  connectionId: `c.${participantId}`,
  displayName: 'Ärger 👋',
  role: 'moderator',
  joinedAtMs: 1_700_000_000_123,
  ...changes,
})

/** Describes every store of participants. Each call of `open` gives an empty database. */
export function describeParticipantStore(open: () => Promise<Stores>) {
  async function openSession(tag = 'a') {
    const stores = await open()
    const session = await stores.sessions.findOrOpen(tag, 100)
    return { ...stores, session, lease: localLease(session) }
  }

  describe('participant store', () => {
    it('stores all fields of participants, in the order in which they joined', async () => {
      const { participants, lease, session } = await openSession()
      const [first, second] = [participant('1'), participant('0', { joinedAtMs: 1_700_000_000_124 })]
      expect(await participants.add(lease, second)).toBe(true)
      expect(await participants.add(lease, first)).toBe(true)
      const ids = [session.sessionId, session.sessionId + 1, session.sessionId]
      const lists = await Promise.all(ids.map(id => participants.list(id)))
      expect(lists).toEqual([[first, second], [], [first, second]])
    })

    it('renames and removes a participant of that session', async () => {
      const { participants, sessions, lease, session } = await openSession()
      await participants.add(lease, participant('1'))
      const other = localLease(await sessions.findOrOpen('b', 100))
      await participants.rename(other, '1', 'Eve')
      await participants.remove(other, '1')
      expect(await participants.list(session.sessionId)).toEqual([participant('1')])
      await participants.rename(lease, '1', 'Ben')
      expect(await participants.list(session.sessionId)).toEqual([participant('1', { displayName: 'Ben' })])
      await participants.remove(lease, '1')
      expect(await participants.list(session.sessionId)).toEqual([])
    })

    it('changes and removes nobody under a lease that is lost', async () => {
      const { participants, sessions, lease, session } = await openSession()
      await participants.add(lease, participant('1'))
      const next = localLease(await sessions.findOrOpen('a', 200))
      await participants.rename(lease, '1', 'Eve')
      await participants.remove(lease, '1')
      await participants.clear(lease)
      expect(await participants.list(session.sessionId)).toEqual([participant('1')])
      await participants.clear(next)
      expect(await participants.list(session.sessionId)).toEqual([])
    })

    it('finds the open sessions in which a connection participates', async () => {
      const { participants, sessions, lease, session } = await openSession()
      const other = await sessions.findOrOpen('b', 100)
      for (const [id, of] of [
        ['1', lease],
        ['2', localLease(other)],
      ] as const)
        await participants.add(of, participant(id, { connectionId: 'c.one' }))
      await participants.add(lease, participant('3', { connectionId: 'c.other' }))
      const place = { sessionId: session.sessionId, tag: 'a', participantId: '1' }
      expect(await participants.findByConnection('c.one')).toEqual([
        place,
        { sessionId: other.sessionId, tag: 'b', participantId: '2' },
      ])
      await sessions.end(localLease(other), 200, 'ended')
      expect(await participants.findByConnection('c.one')).toEqual([place])
      expect(await participants.findByConnection('c.two')).toEqual([])
    })

    it('stores nobody under a lease that is lost, or in a session that has ended', async () => {
      const { participants, sessions, lease, session } = await openSession()
      const next = localLease(await sessions.findOrOpen('a', 200))
      expect(await participants.add(lease, participant('1'))).toBe(false)
      await sessions.end(next, 300, 'ended')
      expect(await participants.add(next, participant('1'))).toBe(false)
      expect(await participants.list(session.sessionId)).toEqual([])
    })

    it('clears a session, and sweeps the rows of ended sessions', async () => {
      const { participants, sessions, lease, session } = await openSession()
      const other = await sessions.findOrOpen('b', 100)
      await participants.add(lease, participant('1'))
      await participants.add(localLease(other), participant('2'))
      await participants.sweep()
      expect(await participants.list(session.sessionId)).toHaveLength(1)
      await sessions.end(lease, 200, 'ended')
      await participants.sweep()
      expect(await participants.list(session.sessionId)).toEqual([])
      expect(await participants.list(other.sessionId)).toHaveLength(1)
      await participants.clear(localLease(other))
      expect(await participants.list(other.sessionId)).toEqual([])
    })
  })
}
