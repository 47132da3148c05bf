import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMainStore } from '../platform/db/open.ts'
import { chatStore } from '../sessions/stores/chat.ts'
import { localLease } from '../sessions/testing/local-lease.ts'
import { refused } from '../testing/refused.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { authSessionStore } from './stores/auth-sessions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const becomeGuest = async () => (await server.call('POST', '/api/v1.0/auth/guest')).body

/** Runs the hourly sweep after the guest's session has expired. */
async function expire(userId: number) {
  const file = new Database(server.config.Db.Url)
  file.prepare('UPDATE auth_sessions SET expires_at = 1 WHERE user_id = ?').run(userId)
  file.close()
  const main = await openMainStore(server.config.Db.Url)
  await authSessionStore(main.db).sweep(2, 100)
  await main.close()
}

describe('an expired guest', () => {
  it('keeps its messages, and receives account_deleted', async () => {
    const guest = await becomeGuest()
    const userId: number = guest.user.user_id
    const main = await openMainStore(server.config.Db.Url)
    const key = { chatId: 'chat', userId, commandId: 'c-1' }
    const message = { ...key, displayName: 'Mia', text: 'hello', sentAtMs: 1 }
    await chatStore(main.db).append(message, localLease({ sessionId: 1 }))
    const next = await becomeGuest()
    await expire(userId)

    expect(await server.operator.users.list()).toMatchObject([{ id: next.user.user_id }])
    expect(await chatStore(main.db).find(key)).toMatchObject({ displayName: 'Mia', text: 'hello' })
    await main.close()
    const refresh = { body: { refresh_token: guest.refresh_token } }
    for (const answer of [
      await server.call('POST', '/api/v1.0/auth/refresh', refresh),
      await server.call('GET', '/api/v1.0/me', { token: guest.access_token }),
    ])
      expect(answer).toEqual(refused(401, 'account_deleted'))
    expect((await becomeGuest()).user.user_id).toBeGreaterThan(next.user.user_id)
  })
})
