import { describe, expect, it } from 'vitest'
import type { SessionStore, StoredState } from '../ports.ts'
import { localLease } from './local-lease.ts'

const state: StoredState = {
  locked: true,
  chatMode: 'read_only',
  moderation: {
    permissions: { microphone: true, camera: false, screen: false },
    exceptions: [{ userId: 7, screen: true, chat: false }],
    spotlight: 2,
  },
  removed: [{ userId: 7, displayName: 'Ärger 👋' }],
  members: [1, 2],
  sharedLinks: [[2, 'moderator']],
}

const NO_MODERATION = {
  permissions: { microphone: true, camera: true, screen: true },
  exceptions: [],
  spotlight: null,
}

/** Describes every store of conference sessions. Each call of `open` gives an empty one. */
export function describeSessionStore(open: () => Promise<SessionStore>) {
  describe('conference session store', () => {
    it('SESSION-1 opens a session with an id that is a positive integer', async () => {
      const sessions = await open()
      const session = await sessions.findOrOpen('a', 1_700_000_000_123)
      expect(session).toEqual({
        sessionId: expect.any(Number),
        tag: 'a',
        startedAtMs: 1_700_000_000_123,
        incarnation: 1,
        chatId: `session:${session.sessionId}`,
        locked: false,
        chatMode: 'open',
        moderation: NO_MODERATION,
        removed: [],
        members: [],
        sharedLinks: [],
        hands: [],
        ended: null,
      })
      expect(session.sessionId).toBeGreaterThan(0)
      expect(await sessions.find(session.sessionId)).toEqual(session)
      expect(await sessions.find(session.sessionId + 1)).toBeNull()
      expect(await sessions.findOpen('a')).toEqual({
        locked: false,
        chatMode: 'open',
        moderation: NO_MODERATION,
        removed: [],
        members: [],
        sharedLinks: [],
      })
      expect(await sessions.findOpen('b')).toBeNull()
    })

    it('SESSION-2 returns the open session of a tag instead of a second one, as another incarnation', async () => {
      const sessions = await open()
      const first = await sessions.findOrOpen('a', 100)
      expect(await sessions.findOrOpen('a', 200)).toEqual({ ...first, incarnation: 2 })
      expect((await sessions.findOrOpen('b', 200)).sessionId).not.toBe(first.sessionId)
    })

    it('SESSION-3 opens one session for many concurrent callers', async () => {
      const sessions = await open()
      const opened = await Promise.all(Array.from({ length: 20 }, (_, i) => sessions.findOrOpen('a', i)))
      expect(new Set(opened.map(({ sessionId }) => sessionId)).size).toBe(1)
      expect(new Set(opened.map(({ incarnation }) => incarnation)).size).toBe(20)
    })

    it('SESSION-4 stores the complete state', async () => {
      const sessions = await open()
      const session = await sessions.findOrOpen('a', 100)
      await sessions.save(localLease(session), state)
      expect(await sessions.find(session.sessionId)).toEqual({ ...session, ...state })
    })

    it('SESSION-8 keeps raised hands apart from the rest, until the session ends', async () => {
      const sessions = await open()
      const { sessionId } = await sessions.findOrOpen('a', 100)
      const lease = localLease({ sessionId })
      const hands = [{ userId: 1, raisedAtMs: 1_700_000_000_123 }]
      await sessions.saveHands(lease, hands)
      await sessions.save(lease, state)
      expect(await sessions.find(sessionId)).toMatchObject({ ...state, hands })
      expect(await sessions.resumeOpen()).toMatchObject([{ hands }])
      const resumed = localLease({ sessionId, incarnation: 2 })
      await sessions.saveHands(resumed, [])
      expect(await sessions.find(sessionId)).toMatchObject({ hands: [] })
      await sessions.end(resumed, 200, 'ended')
      expect(await sessions.saveHands(resumed, hands)).toBe(true)
      expect(await sessions.find(sessionId)).toMatchObject({ hands: [] })
      expect(await sessions.findOrOpen('a', 300)).toMatchObject({ hands: [] })
    })

    it('SESSION-5 opens another session after the end, with nothing of the first', async () => {
      const sessions = await open()
      const first = await sessions.findOrOpen('a', 100)
      await sessions.save(localLease(first), state)
      await sessions.end(localLease(first), 200, 'closed')
      const second = await sessions.findOrOpen('a', 300)
      expect(second).toMatchObject({
        locked: false,
        chatMode: 'open',
        moderation: NO_MODERATION,
        removed: [],
        incarnation: 1,
        ended: null,
      })
      expect(second.sessionId).toBeGreaterThan(first.sessionId)
    })

    it('SESSION-6 keeps the first end, and changes nothing after it', async () => {
      const sessions = await open()
      const { sessionId } = await sessions.findOrOpen('a', 100)
      const lease = localLease({ sessionId })
      await sessions.end(lease, 200, 'empty')
      await sessions.end(lease, 300, 'closed')
      await sessions.save(lease, state)
      expect(await sessions.find(sessionId)).toMatchObject({
        ended: { atMs: 200, reason: 'empty' },
        locked: false,
      })
    })

    it('SESSION-10 stores nothing for a former incarnation or another owner', async () => {
      const sessions = await open()
      const first = localLease(await sessions.findOrOpen('a', 100))
      const second = localLease(await sessions.findOrOpen('a', 200))
      for (const stale of [first, { ...second, owner: 'other' }, { ...second, incarnation: 3 }]) {
        expect(await sessions.save(stale, state)).toBe(false)
        expect(await sessions.saveHands(stale, [{ userId: 1, raisedAtMs: 1 }])).toBe(false)
        expect(await sessions.end(stale, 300, 'ended')).toBe(false)
      }
      expect(await sessions.find(first.sessionId)).toMatchObject({ locked: false, hands: [], ended: null })
      expect(await sessions.save(second, state)).toBe(true)
      expect(await sessions.end(second, 300, 'ended')).toBe(true)
      expect(await sessions.end(second, 400, 'empty')).toBe(true)
      expect(await sessions.end(first, 400, 'empty')).toBe(false)
    })

    it('SESSION-7 resumes open sessions, each as another incarnation, and none that has ended', async () => {
      const sessions = await open()
      const a = await sessions.findOrOpen('a', 100)
      const b = await sessions.findOrOpen('b', 100)
      const c = await sessions.findOrOpen('c', 100)
      await sessions.save(localLease(c), state)
      await sessions.end(localLease(b), 200, 'ended')
      const resumed = [
        { ...a, incarnation: 2 },
        { ...c, ...state, incarnation: 2 },
      ]
      expect(await sessions.resumeOpen()).toEqual(resumed)
      expect((await sessions.resumeOpen()).map(({ incarnation }) => incarnation)).toEqual([3, 3])
    })

    it('SESSION-9 returns why the last session of a conference ended', async () => {
      const sessions = await open()
      expect(await sessions.lastEnd('a')).toBeNull()
      const first = await sessions.findOrOpen('a', 100)
      expect(await sessions.lastEnd('a')).toBeNull()
      await sessions.end(localLease(first), 200, 'ended')
      const other = await sessions.findOrOpen('b', 100)
      await sessions.end(localLease(other), 200, 'empty')
      const second = await sessions.findOrOpen('a', 300)
      expect(await sessions.lastEnd('a')).toBe('ended')
      await sessions.end(localLease(second), 400, 'empty')
      expect(await sessions.lastEnd('a')).toBe('empty')
    })
  })
}
