import { describe, expect, it } from 'vitest'
import type { AuthSession, User } from './ports.ts'
import type { AuthSessionStore } from './stores/auth-sessions.ts'
import type { UserStore } from './stores/users.ts'
import { anna } from './users.contract.ts'

/** The contract of every `AuthSessionStore`. Each call of `open` returns empty stores. */
export function describeAuthSessionStore(
  open: () => Promise<{ users: UserStore; sessions: AuthSessionStore }>,
) {
  const prepare = async () => {
    const { users, sessions } = await open()
    const user = (await users.add(anna)) as User
    const session: AuthSession = {
      id: 'session-1',
      userId: user.id,
      generation: 1,
      secretHash: 'hash-1',
      lastRequest: null,
      network: 'network-1',
      browser: 'Firefox',
      platform: null,
      createdAt: 100,
      usedAt: 100,
      expiresAt: 200,
      revokedAt: null,
    }
    await sessions.add(session)
    return { users, sessions, user, session }
  }

  const next = { secretHash: 'hash-2', usedAt: 120, expiresAt: 300 }

  describe('auth session store', () => {
    it('AUTH-1 returns a session together with the current state of its user', async () => {
      const { users, sessions, user, session } = await prepare()
      expect(await sessions.find(session.id)).toEqual({ session, user })
      const renamed = await users.update(user.id, { displayName: 'Anna B.' })
      expect(await sessions.find(session.id)).toEqual({ session, user: renamed })
      expect(await sessions.find('session-2')).toBeNull()
    })

    it('AUTH-2 advances from the given generation once', async () => {
      const { sessions, session } = await prepare()
      expect(await sessions.advance(session.id, 1, next)).toBe(true)
      expect(await sessions.advance(session.id, 1, { ...next, secretHash: 'other' })).toBe(false)
      expect((await sessions.find(session.id))?.session).toEqual({
        ...session,
        generation: 2,
        ...next,
      })
    })

    it('AUTH-3 lets one of many concurrent callers advance', async () => {
      const { sessions, session } = await prepare()
      const moves = Array.from({ length: 20 }, (_, i) =>
        sessions.advance(session.id, 1, { ...next, secretHash: `${i}` }),
      )
      expect((await Promise.all(moves)).filter(Boolean)).toHaveLength(1)
    })

    it('AUTH-4 does not advance revoked or unknown sessions', async () => {
      const { sessions, session } = await prepare()
      await sessions.revoke(session.id, 150)
      expect(await sessions.advance(session.id, 1, next)).toBe(false)
      expect(await sessions.advance('session-2', 1, next)).toBe(false)
    })

    it('AUTH-5 keeps the time of the first revocation', async () => {
      const { sessions, session } = await prepare()
      await sessions.revoke(session.id, 150)
      await sessions.revoke(session.id, 160)
      await sessions.revokeAllOf(session.userId, 170)
      expect((await sessions.find(session.id))?.session.revokedAt).toBe(150)
    })

    it('AUTH-6 revokes all sessions of one user only', async () => {
      const { users, sessions, session } = await prepare()
      const other = (await users.add({ ...anna, login: 'other' })) as User
      await sessions.add({ ...session, id: 'session-2' })
      await sessions.add({ ...session, id: 'session-3', userId: other.id })
      expect(await sessions.revokeAllOf(session.userId, 150)).toBe(2)
      const revoked = async (id: string) => (await sessions.find(id))?.session.revokedAt
      expect([await revoked('session-1'), await revoked('session-2')]).toEqual([150, 150])
      expect(await revoked('session-3')).toBeNull()
    })

    it('AUTH-13 revokes all sessions of a user except the given one', async () => {
      const { sessions, session } = await prepare()
      await sessions.add({ ...session, id: 'session-2' })
      await sessions.add({ ...session, id: 'session-3', revokedAt: 120 })
      expect(await sessions.revokeAllOf(session.userId, 150, 'session-1')).toBe(1)
      expect((await sessions.find('session-1'))?.session.revokedAt).toBeNull()
      expect((await sessions.find('session-2'))?.session.revokedAt).toBe(150)
      expect((await sessions.find('session-3'))?.session.revokedAt).toBe(120)
    })

    it('AUTH-15 keeps the 100 most recently used sessions of a user', async () => {
      const { users, sessions, session } = await prepare()
      const other = (await users.add({ ...anna, login: 'other' })) as User
      await sessions.add({ ...session, id: 'foreign', userId: other.id, usedAt: 1 })
      for (let i = 0; i < 120; i++) await sessions.add({ ...session, id: `many-${i}`, usedAt: 1_000 + i })
      expect(await sessions.countActive(session.userId, 150)).toBe(100)
      expect(await sessions.find('many-20')).not.toBeNull()
      expect(await sessions.find('many-19')).toBeNull()
      expect(await sessions.find('foreign')).not.toBeNull()
    })

    it('AUTH-16 opens no session of an account that was deleted, disabled or given another password meanwhile', async () => {
      const { users, sessions, user, session } = await prepare()
      const open = (id: string, passwordHash?: string | null) =>
        sessions.add({ ...session, id, userId: user.id }, passwordHash)
      expect(await open('session-2', user.passwordHash)).toBe(true)
      expect(await open('session-3', 'another')).toBe(false)
      expect(await open('session-3', null)).toBe(false)
      await users.update(user.id, { disabledAt: 140 })
      expect(await open('session-3', user.passwordHash)).toBe(false)
      await users.update(user.id, { disabledAt: null, deletedAt: 140 })
      expect(await open('session-3')).toBe(false)
      expect(await sessions.find('session-3')).toBeNull()
    })

    it('AUTH-16 leaves no session after such a change, whichever comes first', async () => {
      const { users, sessions, user, session } = await prepare()
      const changes = [
        () => users.changePassword(user.id, { passwordHash: 'new', at: 150 }),
        () => users.update(user.id, { disabledAt: 150 }),
      ]
      for (const change of changes) {
        const { passwordHash } = (await users.find(user.id)) as User
        const calls = Array.from(
          { length: 20 },
          (_, i) => () => sessions.add({ ...session, id: `${passwordHash} ${i}` }, passwordHash),
        )
        await Promise.all([...calls.slice(0, 10), change, ...calls.slice(10)].map(each => each()))
        expect(await sessions.countActive(user.id, 150)).toBe(0)
      }
    })

    it('AUTH-14 lists the active sessions of a user, last used first', async () => {
      const { users, sessions, session } = await prepare()
      const other = (await users.add({ ...anna, login: 'other' })) as User
      const add = (id: string, changes: Partial<AuthSession> = {}) =>
        sessions.add({ ...session, id, ...changes })
      await add('recent', { usedAt: 140 })
      await add('older', { usedAt: 130 })
      await add('revoked', { revokedAt: 120 })
      await add('expired', { expiresAt: 150 })
      await add('foreign', { userId: other.id })
      await sessions.advance('session-1', 1, { ...next, usedAt: 145 })
      const ids = async (limit: number) =>
        (await sessions.listActive(session.userId, 150, limit)).map(({ id }) => id)
      expect(await ids(10)).toEqual(['session-1', 'recent', 'older'])
      expect(await ids(2)).toEqual(['session-1', 'recent'])
      expect(await sessions.countActive(session.userId, 150)).toBe(3)
      expect((await sessions.listActive(other.id, 150, 1))[0]).toEqual({
        ...session,
        id: 'foreign',
        userId: other.id,
      })
    })

    it('AUTH-7 removes sessions that expired before the given time, and returns their number', async () => {
      const { users, sessions, session } = await prepare()
      expect(await sessions.sweep(200, 10)).toBe(0)
      expect(await sessions.find(session.id)).not.toBeNull()
      expect(await sessions.sweep(201, 10)).toBe(1)
      expect(await sessions.find(session.id)).toBeNull()
      expect(await users.find(session.userId)).not.toBeNull()
    })

    it('AUTH-8 removes at most the limit, oldest first', async () => {
      const { sessions, session } = await prepare()
      for (const expiresAt of [120, 110, 130])
        await sessions.add({ ...session, id: `session-${expiresAt}`, expiresAt })
      expect(await sessions.sweep(201, 2)).toBe(2)
      expect([await sessions.find('session-110'), await sessions.find('session-120')]).toEqual([null, null])
      expect(await sessions.find('session-130')).not.toBeNull()
    })

    it('AUTH-9 removes a guest with its last session, and no other user', async () => {
      const { users, sessions, session } = await prepare()
      const guest = (await users.add({ ...anna, login: 'guest-1', kind: 'guest' })) as User
      const last = (await users.add({ ...anna, login: 'guest-2', kind: 'guest' })) as User
      await sessions.add({ ...session, id: 'session-2', userId: guest.id, revokedAt: 150 })
      await sessions.add({ ...session, id: 'session-3', userId: guest.id, expiresAt: 300 })
      await sessions.add({ ...session, id: 'session-4', userId: last.id })
      await users.add({ ...anna, login: 'other' })
      expect(await sessions.sweep(201, 10)).toBe(3)
      expect(await users.find(guest.id)).toEqual(guest)
      expect(await users.find(last.id)).toBeNull()
      expect(await sessions.sweep(301, 10)).toBe(1)
      expect(await users.find(guest.id)).toBeNull()
      expect((await users.list()).map(({ login }) => login)).toEqual(['anna', 'other'])
    })

    it('AUTH-10 never reuses the id of a removed guest', async () => {
      const { users, sessions, session } = await prepare()
      const guest = (await users.add({ ...anna, login: 'guest-1', kind: 'guest' })) as User
      await sessions.add({ ...session, id: 'session-2', userId: guest.id })
      await sessions.sweep(201, 10)
      const next = (await users.add({ ...anna, login: 'next' })) as User
      expect(next.id).not.toBe(guest.id)
      await sessions.sweep(201, 10)
      expect(await users.find(guest.id)).toBeNull()
    })

    it('AUTH-12 finds the networks of a user, including those of revoked sessions', async () => {
      const { sessions, session } = await prepare()
      await sessions.revoke(session.id, 150)
      expect(await sessions.hasNetwork(session.userId, 'network-1')).toBe(true)
      expect(await sessions.hasNetwork(session.userId, 'network-2')).toBe(false)
      expect(await sessions.hasNetwork(session.userId + 1, 'network-1')).toBe(false)
    })

    it('AUTH-11 keeps guests whose tokens do not identify them as guests', async () => {
      const { users, sessions, session } = await prepare()
      const guest = (await users.add({ ...anna, login: 'guest-1', kind: 'guest' })) as User
      await users.add({ ...anna, login: 'other' })
      await sessions.add({ ...session, id: 'session-2', userId: guest.id, secretHash: null })
      await sessions.sweep(201, 10)
      expect(await sessions.find('session-2')).not.toBeNull()
    })
  })
}
