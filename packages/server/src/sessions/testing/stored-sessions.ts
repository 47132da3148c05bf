import { expect } from 'vitest'
import type { StoredSession } from '../ports.ts'
import type { TestHarness } from './test-harness.ts'

/** More than a test opens. */
const SESSION_IDS_MAX = 200

/** The open sessions in the store, of which no conference has two. */
export async function findOpenSessions({ unwrapped }: TestHarness): Promise<StoredSession[]> {
  const ids = Array.from({ length: SESSION_IDS_MAX }, (_, i) => i + 1)
  const stored = await Promise.all(ids.map(id => unwrapped.sessions.find(id)))
  const open = stored.flatMap(session => (session?.ended === null ? [session] : []))
  expect(new Set(open.map(session => session.tag)).size).toBe(open.length)
  return open
}

/** Compares what is stored of a session with its state. */
export async function expectStored({ registry, unwrapped }: TestHarness, sessionId: number): Promise<void> {
  const { state } = registry.state(sessionId) ?? expect.fail('the session is not open')
  const stored = (await unwrapped.sessions.find(sessionId)) ?? expect.fail('the session is not stored')
  expect([stored.locked, stored.chatMode]).toEqual([state.locked, state.chat_mode])
  expect(stored.removed.map(({ userId }) => String(userId))).toEqual(
    state.removed.map(({ user_id }) => user_id),
  )
  const { messages } = await unwrapped.chat.page(`session:${sessionId}`, null, { limit: 100, bytes: 1e9 })
  expect(messages.map(({ messageId }) => String(messageId))).toEqual(
    state.messages.map(({ message_id }) => message_id),
  )
}
