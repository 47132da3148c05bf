import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authSessionStore } from '../db/auth-sessions.ts'
import { openMainStore } from '../db/open.ts'
import type { MainSchema } from '../db/schema.ts'
import type { Store } from '../db/store.ts'
import { userStore } from '../db/users.ts'
import { Jwt } from './jwt.ts'
import { Keys } from './keys.ts'
import type { AuthSessionStore, User } from './ports.ts'
import { Sessions } from './sessions.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let dir: string
let main: Store<MainSchema>
let store: AuthSessionStore
let user: User
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lectern-sessions-'))
  main = await openMainStore(join(dir, 'main.db'))
  store = authSessionStore(main.db)
  const anna = { login: 'anna', displayName: 'Anna', kind: 'ordinary', passwordHash: null } as const
  user = (await userStore(main.db).add({ ...anna, capabilities: [], createdAt: 1 })) as User
})
afterAll(async () => {
  await main.close()
  rmSync(dir, { recursive: true })
})

let now: number
let sessions: Sessions
const ended = { code: 'session_ended' }
beforeEach(() => {
  now = Date.UTC(2026, 0, 1)
  const clock = () => now
  const keys = new Keys('a secret')
  sessions = new Sessions({ store, jwt: new Jwt(keys, clock), keys, clock })
})

describe('a sign-in', () => {
  it('has access tokens of 15 minutes', async () => {
    const { access_token } = await sessions.open(user)
    now += 15 * MINUTE - 1000
    expect((await sessions.authenticate(access_token)).id).toBe(user.id)
    now += 1000
    await expect(sessions.authenticate(access_token)).rejects.toMatchObject({ code: 'token_expired' })
  })

  it('lasts 90 days, anew with each refresh', async () => {
    const first = await sessions.open(user)
    now += 89 * DAY
    const second = await sessions.refresh(first.refresh_token)
    now += 89 * DAY
    const third = await sessions.refresh(second.tokens.refresh_token)
    now += 90 * DAY
    await expect(sessions.refresh(third.tokens.refresh_token)).rejects.toMatchObject(ended)
  })

  it('is known by its access tokens, before and after a refresh', async () => {
    const { access_token, refresh_token } = await sessions.open(user)
    const { sessionId, ...who } = await sessions.identify(access_token)
    expect(who).toEqual({ user })
    const { tokens } = await sessions.refresh(refresh_token)
    expect((await sessions.identify(tokens.access_token)).sessionId).toBe(sessionId)
    const other = await sessions.open(user)
    expect((await sessions.identify(other.access_token)).sessionId).not.toBe(sessionId)
  })

  it('can be checked for as long as it lasts, beyond its access tokens', async () => {
    const { access_token, refresh_token } = await sessions.open(user)
    const { sessionId } = await sessions.identify(access_token)
    now += 90 * DAY - 1000
    await sessions.check(sessionId)
    now += 1000
    await expect(sessions.check(sessionId)).rejects.toMatchObject(ended)
    now -= DAY
    await sessions.close(refresh_token)
    await expect(sessions.check(sessionId)).rejects.toMatchObject(ended)
    await expect(sessions.check('another')).rejects.toMatchObject(ended)
  })

  it('ends with the account', async () => {
    const users = userStore(main.db)
    const ben = (await users.add({ ...user, login: 'ben' })) as User
    const { sessionId } = await sessions.identify((await sessions.open(ben)).access_token)
    await users.update(ben.id, { deletedAt: 5 })
    await expect(sessions.check(sessionId)).rejects.toMatchObject({ code: 'account_deleted' })
  })

  it('is nothing to a server with another secret', async () => {
    const { access_token, refresh_token } = await sessions.open(user)
    const keys = new Keys('another secret')
    const clock = () => now
    const other = new Sessions({ store, jwt: new Jwt(keys, clock), keys, clock })
    await expect(other.authenticate(access_token)).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(other.refresh(refresh_token)).rejects.toMatchObject(ended)
    expect((await sessions.refresh(refresh_token)).user.id).toBe(user.id)
  })

  it('leaves no token in the store', async () => {
    const { access_token, refresh_token } = await sessions.open(user)
    const rows = JSON.stringify(await main.db.selectFrom('auth_sessions').selectAll().execute())
    expect(rows).not.toContain(access_token.split('.')[2])
    expect(rows).not.toContain(refresh_token.split('.')[2])
  })
})
