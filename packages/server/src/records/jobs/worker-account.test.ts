import { afterEach, describe, expect, it } from 'vitest'
import { Accounts } from '../../accounts/accounts.ts'
import { AuthSessions } from '../../accounts/auth-sessions.ts'
import { Jwt } from '../../accounts/jwt.ts'
import { Keys } from '../../accounts/keys.ts'
import { authSessionStore } from '../../accounts/stores/auth-sessions.ts'
import { userStore } from '../../accounts/stores/users.ts'
import { openMainStore } from '../../platform/db/open.ts'
import { WorkerAccount } from './worker-account.ts'

const QUARTER = 15 * 60_000

let close = async () => {}
afterEach(() => close())

async function open() {
  const main = await openMainStore(':memory:')
  close = () => main.close()
  const time = { now: Date.UTC(2026, 0, 1) }
  const clock = () => time.now
  const keys = new Keys('a secret')
  const users = userStore(main.db)
  const store = authSessionStore(main.db)
  const sessions = new AuthSessions({ store, jwt: new Jwt(keys, clock), keys, clock, guestExpiryDays: 30 })
  const parts = { accounts: new Accounts(users, clock), sessions, clock }
  const recorder = () => WorkerAccount.open(parts, 'recorder-embedded', 'jobs.recorder')
  return { time, users, store, sessions, recorder }
}

describe('the account of an embedded worker', () => {
  it('is created at the first start and found at the next', async () => {
    const { users, sessions, recorder } = await open()
    const first = await sessions.authenticate(await (await recorder()).accessToken(false))
    expect(first).toMatchObject({
      login: 'recorder-embedded',
      kind: 'worker',
      capabilities: ['jobs.recorder'],
    })
    expect(first.passwordHash).toBeNull()
    const next = await sessions.authenticate(await (await recorder()).accessToken(false))
    expect(next.id).toBe(first.id)
    expect(await users.list()).toHaveLength(1)
  })

  it('renews tokens before they expire', async () => {
    const { time, sessions, recorder } = await open()
    const account = await recorder()
    const [first, same] = await Promise.all([account.accessToken(false), account.accessToken(false)])
    expect(same).toBe(first)
    for (let i = 0; i < 10; i++) {
      time.now += QUARTER - 30_000
      await sessions.authenticate(await account.accessToken(false))
    }
  })

  it('gets a new token after a refused one, and signs in again when the session was ended', async () => {
    const { time, store, sessions, recorder } = await open()
    const account = await recorder()
    const { user, sessionId } = await sessions.identify(await account.accessToken(false))
    await store.revokeAllOf(user.id, time.now / 1000)
    const again = await sessions.identify(await account.accessToken(true))
    expect(again.user.id).toBe(user.id)
    expect(again.sessionId).not.toBe(sessionId)
  })

  it('is restored when an administrator has deleted it, also while the worker runs', async () => {
    const { time, users, sessions, recorder } = await open()
    const account = await recorder()
    const { id } = await sessions.authenticate(await account.accessToken(false))
    for (const worker of [() => account, recorder]) {
      await users.update(id, { deletedAt: time.now / 1000 })
      const restored = await sessions.authenticate(await (await worker()).accessToken(false))
      expect(restored).toMatchObject({
        ...{ id, login: 'recorder-embedded', displayName: 'recorder-embedded', deletedAt: null },
        capabilities: ['jobs.recorder'],
      })
    }
  })

  it('signs out when the server stops', async () => {
    const { sessions, recorder } = await open()
    const account = await recorder()
    const token = await account.accessToken(false)
    await account.close()
    await expect(sessions.authenticate(token)).rejects.toMatchObject({ code: 'session_ended' })
  })

  it('rejects an existing account of another kind', async () => {
    const { time, users, recorder } = await open()
    const somebody = { displayName: '', passwordHash: null, capabilities: [], createdAt: 1 }
    const user = await users.add({ ...somebody, login: 'recorder-embedded', kind: 'ordinary' })
    await expect(recorder()).rejects.toMatchObject({ code: 'permission_denied' })
    await users.update(user?.id as number, { deletedAt: time.now / 1000 })
    await expect(recorder()).rejects.toMatchObject({ code: 'account_deleted' })
  })
})
