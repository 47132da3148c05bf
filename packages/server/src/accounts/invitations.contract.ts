import { describe, expect, it } from 'vitest'
import type { Invitation, User } from './ports.ts'
import type { AuthSessionStore } from './stores/auth-sessions.ts'
import type { InvitationStore } from './stores/invitations.ts'
import type { UserStore } from './stores/users.ts'
import { anna } from './users.contract.ts'

interface Stores {
  users: UserStore
  sessions: AuthSessionStore
  invitations: InvitationStore
}

/** The contract of what changes passwords. Each call of `open` returns empty stores. */
export function describeInvitationStore(open: () => Promise<Stores>) {
  const prepare = async () => {
    const stores = await open()
    const user = (await stores.users.add(anna)) as User
    const invitation: Invitation = { userId: user.id, tokenHash: 'token-1', createdAt: 100, expiresAt: 200 }
    await stores.invitations.save(invitation)
    const signIn = (id: string, userId = user.id) =>
      stores.sessions.add({
        id,
        userId,
        generation: 1,
        secretHash: 'hash',
        lastRequest: null,
        network: null,
        browser: null,
        platform: null,
        createdAt: 100,
        usedAt: 100,
        expiresAt: 500,
        revokedAt: null,
      })
    const active = async (userId = user.id) =>
      (await stores.sessions.listActive(userId, 150, 10)).map(({ id }) => id)
    return { ...stores, user, invitation, signIn, active }
  }

  describe('invitation store', () => {
    it('INVITE-1 returns an invitation together with its user, also after it expired', async () => {
      const { invitations, invitation, user } = await prepare()
      expect(await invitations.find('token-1')).toEqual({ invitation, user })
      expect(await invitations.find('token-2')).toBeNull()
    })

    it('INVITE-2 replaces the earlier invitation of the account', async () => {
      const { invitations, invitation, user } = await prepare()
      const second = { ...invitation, tokenHash: 'token-2', expiresAt: 300 }
      await invitations.save(second)
      expect(await invitations.find('token-1')).toBeNull()
      expect(await invitations.find('token-2')).toEqual({ invitation: second, user })
    })

    it('INVITE-3 sets the password and ends the sign-ins of the account (SELF-9)', async () => {
      const { users, invitations, user, signIn, active } = await prepare()
      const other = (await users.add({ ...anna, login: 'other' })) as User
      await signIn('session-1')
      await signIn('foreign', other.id)
      const changed = await invitations.redeem('token-1', { passwordHash: 'new', at: 150 })
      expect(changed).toEqual({ ...user, passwordHash: 'new' })
      expect(await active()).toEqual([])
      expect(await active(other.id)).toEqual(['foreign'])
      expect(await users.find(other.id)).toEqual(other)
    })

    it('INVITE-4 is redeemed by one of many concurrent callers', async () => {
      const { invitations } = await prepare()
      const callers = Array.from({ length: 20 }, (_, i) =>
        invitations.redeem('token-1', { passwordHash: `${i}`, at: 150 }),
      )
      expect((await Promise.all(callers)).filter(Boolean)).toHaveLength(1)
      expect(await invitations.find('token-1')).toBeNull()
    })

    it('INVITE-5 is not redeemed once it is expired, replaced, or its account is deleted', async () => {
      const { users, invitations, invitation, user, signIn, active } = await prepare()
      await signIn('session-1')
      const change = { passwordHash: 'new', at: 150 }
      expect(await invitations.redeem('token-1', { ...change, at: 200 })).toBeNull()
      await invitations.save({ ...invitation, tokenHash: 'token-2' })
      expect(await invitations.redeem('token-1', change)).toBeNull()
      expect(await active()).toEqual(['session-1'])
      await users.update(user.id, { disabledAt: 140 })
      expect(await invitations.redeem('token-2', change)).toBeNull()
      await users.update(user.id, { disabledAt: null, deletedAt: 140 })
      expect(await invitations.redeem('token-2', change)).toBeNull()
      expect((await users.find(user.id))?.passwordHash).toBeNull()
      expect(await invitations.find('token-2')).toBeNull()
    })
  })

  describe('a change of the mail address', () => {
    it('INVITE-6 removes the invitation, which may be in the mailbox of somebody else (RESET-2)', async () => {
      const { users, invitations, invitation, user } = await prepare()
      const isValid = async () => (await invitations.find('token-1')) !== null
      await users.update(user.id, { email: 'first@example.org' })
      await users.update(user.id, { email: 'First@example.org', displayName: 'Anna' })
      expect(await isValid()).toBe(true)
      for (const email of ['other@example.org', null]) {
        await invitations.save(invitation)
        await users.update(user.id, { email, disabledAt: null })
        expect(await isValid()).toBe(false)
      }
      await invitations.save(invitation)
      await users.update(user.id, { email: null })
      expect(await isValid()).toBe(true)
    })
  })

  describe('a change of a password', () => {
    it('PASSWORD-1 ends the other sign-ins and removes the invitation (SELF-1)', async () => {
      const { users, invitations, user, signIn, active } = await prepare()
      for (const id of ['session-1', 'session-2', 'session-3']) await signIn(id)
      const change = { passwordHash: 'new', at: 150, keptSessionId: 'session-2' }
      expect(await users.changePassword(user.id, change)).toEqual({ ...user, passwordHash: 'new' })
      expect(await active()).toEqual(['session-2'])
      expect(await invitations.find('token-1')).toBeNull()
    })

    it('PASSWORD-2 ends every sign-in if none is kept', async () => {
      const { users, user, signIn, active } = await prepare()
      await signIn('session-1')
      await users.changePassword(user.id, { passwordHash: 'new', at: 150 })
      expect(await active()).toEqual([])
    })

    it('PASSWORD-3 changes nothing if another change came first, or for an unknown user', async () => {
      const { users, invitations, user, signIn, active } = await prepare()
      await signIn('session-1')
      const change = { passwordHash: 'new', at: 150 }
      expect(await users.changePassword(user.id, { ...change, replacedHash: 'old' })).toBeNull()
      expect(await users.changePassword(user.id, { ...change, replacedHash: null })).toBeNull()
      expect(await users.changePassword(user.id + 1, change)).toBeNull()
      expect(await active()).toEqual(['session-1'])
      expect(await invitations.find('token-1')).not.toBeNull()
      const matching = { ...change, replacedHash: user.passwordHash }
      expect(await users.changePassword(user.id, matching)).not.toBeNull()
    })
  })
}
