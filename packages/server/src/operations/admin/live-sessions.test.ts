import { seededRandom } from '@lectern/common/testing'
import { describe, expect, it } from 'vitest'
import { makeLobby } from '../../sessions/lobby/lobby.ts'
import type { StoredSession } from '../../sessions/ports.ts'
import { restoreSession, type Session } from '../../sessions/session.ts'
import { localLease } from '../../sessions/testing/local-lease.ts'
import { LiveSessions } from './live-sessions.ts'

function sessionOf(sessionId: number): Session {
  const tag = `room-${sessionId}`
  const permissions = { microphone: true, camera: true, screen: true }
  const stored: StoredSession = {
    ...{ sessionId, tag, startedAtMs: 1, incarnation: 1, chatId: `session:${sessionId}`, ended: null },
    ...{ hands: [], removed: [], members: [], sharedLinks: [], locked: false, chatMode: 'open' },
    moderation: { permissions, exceptions: [], spotlight: null },
  }
  const chat = { messages: [], hasOlder: false }
  return restoreSession(stored, localLease({ sessionId }), chat, makeLobby(tag), 1)
}

const media = { qualityOf: () => new Map(), workersOf: () => [], mediaNodesOf: () => [] }

describe('live sessions', () => {
  it('are listed in pages, newest first, in whatever order this server opened them', () => {
    const random = seededRandom(7)
    const ids = Array.from({ length: 345 }, (_, i) => i + 1)
    const shuffled = ids.map(id => ({ id, at: random() })).sort((a, b) => a.at - b.at)
    for (const order of [ids, ids.toReversed(), shuffled.map(({ id }) => id)]) {
      const all = order.map(sessionOf)
      const sessions = new LiveSessions({ registry: { all, get: () => undefined }, server: null, media })
      const listed: number[] = []
      for (let before: number | undefined; ; before = listed.at(-1)) {
        const page = sessions.list(undefined, { before, limit: 21 })
        listed.push(...page.map(each => each.conference_session_id))
        if (page.length < 21) break
      }
      expect(listed).toEqual(ids.toReversed())
      expect(sessions.list('ROOM-7', { before: 78, limit: 3 }).map(each => each.conference_tag)).toEqual([
        'room-77',
        'room-76',
        'room-75',
      ])
    }
  })
})
