import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openMainStore } from '../platform/db/open.ts'
import type { MainSchema } from '../platform/db/schema.ts'
import type { Store } from '../platform/db/store.ts'
import { AuthSessions } from './auth-sessions.ts'
import { Jwt } from './jwt.ts'
import { Keys } from './keys.ts'
import type { User } from './ports.ts'
import type { AuthSessionStore } from './stores/auth-sessions.ts'
import { authSessionStore } from './stores/auth-sessions.ts'
import { userStore } from './stores/users.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const REQUEST = 'request-0123456789'

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
let sessions: AuthSessions
const ended = { code: 'session_ended' }
beforeEach(() => {
  now = Date.UTC(2026, 0, 1)
  sessions = openSessions('a secret')
})

function openSessions(
  jwtSecret: string,
  former: string[] = [],
  until = Number.POSITIVE_INFINITY,
): AuthSessions {
  const clock = () => now
  const keys = new Keys(jwtSecret, { secrets: former, until }, clock)
  return new AuthSessions({ store, jwt: new Jwt(keys, clock), keys, clock, guestExpiryDays: 30 })
}

let guests = 0
/** Another user registers after the guest: the sweep never removes the newest user. */
async function addGuest(): Promise<User> {
  const users = userStore(main.db)
  const add = (login: string, kind: User['kind']) =>
    users.add({ ...user, login, kind, createdAt: 1 }) as Promise<User>
  const guest = await add(`guest-${++guests}`, 'guest')
  await add(`later-${guests}`, 'ordinary')
  return guest
}

describe('a sign-in', () => {
  it('has access tokens of 15 minutes (SIGN-1)', async () => {
    const { access_token } = await sessions.open(user)
    now += 15 * MINUTE - 1000
    expect((await sessions.authenticate(access_token)).id).toBe(user.id)
    now += 1000
    await expect(sessions.authenticate(access_token)).rejects.toMatchObject({ code: 'token_expired' })
  })

  it('lasts 90 days after each refresh (SIGN-2)', async () => {
    const first = await sessions.open(user)
    now += 89 * DAY
    const second = await sessions.refresh(first.refresh_token)
    now += 89 * DAY
    const third = await sessions.refresh(second.tokens.refresh_token)
    now += 90 * DAY
    await expect(sessions.refresh(third.tokens.refresh_token)).rejects.toMatchObject(ended)
  })

  it('is identified by its access tokens, before and after a refresh', async () => {
    const { access_token, refresh_token } = await sessions.open(user)
    const { sessionId, ...owner } = await sessions.identify(access_token)
    expect(owner).toEqual({ user })
    const { tokens } = await sessions.refresh(refresh_token)
    expect((await sessions.identify(tokens.access_token)).sessionId).toBe(sessionId)
    const other = await sessions.open(user)
    expect((await sessions.identify(other.access_token)).sessionId).not.toBe(sessionId)
  })

  it('can be checked until it ends, beyond its access tokens', async () => {
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

  it('and its refresh tokens survive a change of JwtSecret; access tokens do not', async () => {
    const { access_token, refresh_token } = await sessions.open(user)
    const rotated = openSessions('another secret')
    await expect(rotated.authenticate(access_token)).rejects.toMatchObject({ code: 'unauthenticated' })
    const { tokens } = await rotated.refresh(refresh_token, REQUEST)
    expect((await rotated.authenticate(tokens.access_token)).id).toBe(user.id)
    expect((await sessions.refresh(refresh_token, REQUEST)).tokens.refresh_token).toBe(tokens.refresh_token)
  })

  it('stores and signs nothing that a refresh token can be derived from', async () => {
    const first = await sessions.open(user)
    const { tokens } = await sessions.refresh(first.refresh_token, REQUEST)
    const rows = JSON.stringify(await main.db.selectFrom('auth_sessions').selectAll().execute())
    const claims = Buffer.from(tokens.access_token.split('.')[1] as string, 'base64url').toString()
    for (const token of [first, tokens]) {
      const [handle, , secret] = token.refresh_token.split('.') as [string, string, string]
      for (const part of [handle.slice(2), secret]) expect(rows + claims).not.toContain(part)
      expect(rows).not.toContain(token.access_token.split('.')[2])
    }
  })

  it('cannot be ended with its id alone', async () => {
    const first = await sessions.open(user)
    const { tokens } = await sessions.refresh(first.refresh_token)
    const { sessionId } = await sessions.identify(tokens.access_token)
    const forged = [sessionId, sessionId.slice(2)].map(id => `${id}.1.${'A'.repeat(43)}`)
    for (const token of forged) await expect(sessions.refresh(token)).rejects.toMatchObject(ended)
    for (const token of forged) await sessions.close(token)
    await sessions.check(sessionId)
  })
})

describe('the sign-in of a guest', () => {
  const deleted = { code: 'account_deleted' }

  it('lasts as long as configured after each refresh (SIGN-2)', async () => {
    const first = await sessions.open(await addGuest())
    now += 29 * DAY
    const second = await sessions.refresh(first.refresh_token)
    now += 29 * DAY
    const third = await sessions.refresh(second.tokens.refresh_token)
    now += 30 * DAY
    await expect(sessions.refresh(third.tokens.refresh_token)).rejects.toMatchObject(deleted)
  })

  it('ends with account_deleted, also after the account is removed', async () => {
    const guest = await addGuest()
    const { access_token, refresh_token } = await sessions.open(guest)
    const { sessionId } = await sessions.identify(access_token)
    now += 31 * DAY
    await sessions.sweep()
    expect(await userStore(main.db).find(guest.id)).toBeNull()
    await expect(sessions.refresh(refresh_token)).rejects.toMatchObject(deleted)
    await expect(sessions.check(sessionId)).rejects.toMatchObject(deleted)
    now -= 31 * DAY
    await expect(sessions.authenticate(access_token)).rejects.toMatchObject(deleted)
  })

  it('is not removed while it is used', async () => {
    const guest = await addGuest()
    const first = await sessions.open(guest)
    now += 29 * DAY
    const { tokens } = await sessions.refresh(first.refresh_token)
    now += 29 * DAY
    await sessions.sweep()
    expect((await sessions.refresh(tokens.refresh_token)).user).toEqual(guest)
  })

  it('is removed in batches, also of a flood', async () => {
    const guest = await addGuest()
    await sessions.open(guest)
    const [row] = await main.db
      .selectFrom('auth_sessions')
      .selectAll()
      .where('user_id', '=', guest.id)
      .execute()
    if (!row) throw new Error('no sign-in')
    for (let batch = 0; batch < 24; batch++) {
      const rows = Array.from({ length: 500 }, (_, i) => ({ ...row, id: `g-${batch}-${i}` }))
      await main.db.insertInto('auth_sessions').values(rows).execute()
    }
    now += 31 * DAY
    await sessions.sweep()
    const left = main.db.selectFrom('auth_sessions').select('id').where('user_id', '=', guest.id)
    expect(await left.execute()).toEqual([])
  })
})

describe('a sign-in that predates secrets for each session', () => {
  const legacySecret = (id: string, generation: number, jwtSecret = 'a secret') => {
    const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'lectern refresh token', 32))
    return createHmac('sha256', key).update(`${id}.${generation}`).digest('base64url')
  }
  const legacyToken = (id: string, generation: number) =>
    `${id}.${generation}.${legacySecret(id, generation)}`

  async function addLegacy(owner: User, generation: number, lastRequest: string | null = null) {
    const id = randomBytes(16).toString('base64url')
    const seconds = now / 1000
    const times = {
      createdAt: seconds,
      usedAt: seconds,
      expiresAt: seconds + 90 * 24 * 3600,
      revokedAt: null,
    }
    await store.add({
      id,
      userId: owner.id,
      generation,
      secretHash: null,
      lastRequest,
      network: null,
      browser: null,
      platform: null,
      ...times,
    })
    return id
  }

  it('continues with its refresh token, and then survives a change of JwtSecret', async () => {
    const id = await addLegacy(user, 7)
    const { tokens } = await sessions.refresh(legacyToken(id, 7), REQUEST)
    expect((await sessions.refresh(legacyToken(id, 7), REQUEST)).tokens.refresh_token).toBe(
      tokens.refresh_token,
    )
    expect((await sessions.identify(tokens.access_token)).sessionId).toBe(id)
    const next = await openSessions('another secret').refresh(tokens.refresh_token)
    await sessions.refresh(next.tokens.refresh_token)
  })

  it('ROTATE-1 continues while its JwtSecret is accepted', async () => {
    const [one, other] = [await addLegacy(user, 7), await addLegacy(user, 7)]
    const rotated = openSessions('another secret', ['a secret'], now + DAY)
    expect((await rotated.refresh(legacyToken(one, 7))).user).toEqual(user)
    now += DAY
    await expect(rotated.refresh(legacyToken(other, 7))).rejects.toMatchObject(ended)
  })

  it('returns the earlier token to a retry', async () => {
    const lastRequest = createHash('sha256').update(REQUEST).digest('base64url')
    const id = await addLegacy(user, 8, lastRequest)
    const { tokens } = await sessions.refresh(legacyToken(id, 7), REQUEST)
    expect(tokens.refresh_token).toBe(legacyToken(id, 8))
    expect((await sessions.refresh(tokens.refresh_token)).user).toEqual(user)
  })

  it('ends when a token is used twice, but not with a forged one', async () => {
    const id = await addLegacy(user, 7)
    for (const generation of [6, 7])
      await expect(sessions.refresh(`${id}.${generation}.${'A'.repeat(43)}`)).rejects.toMatchObject(ended)
    await sessions.check(id)
    await expect(sessions.refresh(legacyToken(id, 6))).rejects.toMatchObject(ended)
    await expect(sessions.check(id)).rejects.toMatchObject(ended)
  })

  it('of a guest ends with account_deleted if JwtSecret changes before its first refresh', async () => {
    const guest = await addGuest()
    const id = await addLegacy(guest, 1)
    const rotated = openSessions('another secret')
    await expect(rotated.refresh(legacyToken(id, 1))).rejects.toMatchObject({ code: 'account_deleted' })
    expect((await sessions.refresh(legacyToken(id, 1))).user).toEqual(guest)
  })
})

describe('ROTATE-1 the network of a sign-in', () => {
  it('is known while its JwtSecret is accepted', async () => {
    await sessions.open(user, { network: '192.0.2.0' })
    const rotated = openSessions('another secret', ['a secret'], now + DAY)
    expect(await rotated.isKnownNetwork(user, '192.0.2.0')).toBe(true)
    expect(await rotated.isKnownNetwork(user, '198.51.100.0')).toBe(false)
    now += DAY
    expect(await rotated.isKnownNetwork(user, '192.0.2.0')).toBe(false)
  })
})
