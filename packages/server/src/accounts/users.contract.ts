import { describe, expect, it } from 'vitest'
import type { NewUser } from './ports.ts'
import type { UserStore } from './stores/users.ts'

export const anna: NewUser = {
  login: 'anna',
  displayName: 'Anna Ärmel 👋',
  kind: 'ordinary',
  passwordHash: '$scrypt$…',
  capabilities: ['recordings.access'],
  createdAt: 1_700_000_000,
}

/** The contract of every `UserStore`. Each call of `open` returns an empty store. */
export function describeUserStore(open: () => Promise<UserStore>) {
  describe('user store', () => {
    it('USER-1 returns an added user by id and by login', async () => {
      const users = await open()
      const added = await users.add(anna)
      expect(added).toEqual({
        ...anna,
        id: expect.any(Number),
        language: null,
        email: null,
        missedCallMails: false,
        disabledAt: null,
        deletedAt: null,
      })
      expect(await users.find(added?.id as number)).toEqual(added)
      expect(await users.findByLogin('anna')).toEqual(added)
    })

    it('USER-2 returns null for an unknown user', async () => {
      const users = await open()
      expect(await users.find(1)).toBeNull()
      expect(await users.findByLogin('anna')).toBeNull()
      expect(await users.update(1, { displayName: 'X' })).toBeNull()
      expect(await users.list()).toEqual([])
    })

    it('lists the accounts with a capability, without deleted ones', async () => {
      const users = await open()
      const first = await users.add({ ...anna, capabilities: ['admin', 'jobs.transcriber'] })
      await users.add({ ...anna, login: 'ben', capabilities: ['jobs.recorder'] })
      const third = await users.add({ ...anna, login: 'carla', capabilities: ['jobs.transcriber'] })
      expect(await users.listByCapability('jobs.transcriber')).toEqual([first, third])
      await users.update(first?.id as number, { deletedAt: 1_700_000_001 })
      expect(await users.listByCapability('jobs.transcriber')).toEqual([third])
    })

    it('finds accounts by their mail address, in any case, oldest first', async () => {
      const users = await open()
      const first = await users.add({ ...anna, email: 'Home@Example.org' })
      const second = await users.add({ ...anna, login: 'ben' })
      await users.update(second?.id as number, { email: 'HOME@example.org' })
      const found = await users.listByEmail('home@EXAMPLE.org', 5)
      expect(found.map(({ id, email }) => [id, email])).toEqual([
        [first?.id, 'home@example.org'],
        [second?.id, 'home@example.org'],
      ])
      expect(await users.listByEmail('home@example.org', 1)).toHaveLength(1)
      await users.update(first?.id as number, { email: null })
      expect(await users.listByEmail('home@example.org', 5)).toHaveLength(1)
    })

    it('USER-3 refuses a login that is taken, including by a deleted account', async () => {
      const users = await open()
      const first = await users.add(anna)
      expect(await users.add({ ...anna, displayName: 'Another' })).toBeNull()
      await users.update(first?.id as number, { deletedAt: 1_700_000_001 })
      expect(await users.add(anna)).toBeNull()
      expect(await users.findByLogin(anna.login)).toMatchObject({ id: first?.id, deletedAt: 1_700_000_001 })
      expect(await users.list()).toHaveLength(1)
    })

    it('adds all invited people or none, and names the logins that are taken', async () => {
      const users = await open()
      await users.add(anna)
      const invited = (login: string) => ({
        user: { ...anna, login, passwordHash: null },
        invitation: { tokenHash: `hash of ${login}`, createdAt: 1, expiresAt: 2 },
      })
      expect(await users.addInvited(['ben', 'anna', 'carla'].map(invited))).toEqual({ taken: ['anna'] })
      expect(await users.list()).toHaveLength(1)
      expect(await users.addInvited(['ben', 'carla'].map(invited))).toMatchObject({
        users: [{ login: 'ben' }, { login: 'carla', displayName: anna.displayName }],
      })
    })

    it('USER-4 gives a login to one of many concurrent callers', async () => {
      const users = await open()
      const added = await Promise.all(Array.from({ length: 20 }, () => users.add(anna)))
      expect(added.filter(Boolean)).toHaveLength(1)
    })

    it('USER-5 updates the given fields only', async () => {
      const users = await open()
      const { id } = (await users.add(anna)) as { id: number }
      const changed = await users.update(id, { displayName: 'Anna B.' })
      expect(changed).toEqual({
        ...anna,
        id,
        email: null,
        missedCallMails: false,
        displayName: 'Anna B.',
        language: null,
        disabledAt: null,
        deletedAt: null,
      })
      expect(await users.update(id, { language: 'ru', capabilities: [] })).toEqual({
        ...changed,
        language: 'ru',
        capabilities: [],
      })
      expect(
        await users.update(id, {
          displayName: undefined,
          deletedAt: 5,
        }),
      ).toMatchObject({ id, deletedAt: 5 })
    })

    it('USER-7 stores nothing in a deleted account that was being changed when it was deleted', async () => {
      const users = await open()
      const { id } = (await users.add(anna)) as { id: number }
      const deleted = await users.update(id, { deletedAt: 5 })
      expect(await users.update(id, { displayName: 'Anna B.', email: 'anna@example.org' })).toBeNull()
      expect(await users.update(id, { deletedAt: 9 })).toBeNull()
      expect(await users.changePassword(id, { passwordHash: 'new', at: 9 })).toBeNull()
      expect(await users.find(id)).toEqual(deleted)
    })

    it('lists pages of users, newest first, by kind, state and part of login or name', async () => {
      const users = await open()
      const add = async (login: string, displayName: string, kind: NewUser['kind'] = 'ordinary') =>
        ((await users.add({ ...anna, login, displayName, kind })) as { id: number }).id
      await add('anna', 'Anna 100%')
      const two = await add('ben', 'Бен Ёлкин')
      const three = await add('robot', 'ﺍﻟﻌﺮﺑﻴﺔ', 'technical')
      await add('carla_x', 'İpek Pınar')
      await users.update(two, { disabledAt: 5 })
      await users.update(three, { disabledAt: 5 })
      const logins = async (...parameters: Parameters<UserStore['page']>) =>
        (await users.page(...parameters)).map(({ login }) => login)
      expect(await logins({}, { limit: 2 })).toEqual(['carla_x', 'robot'])
      expect(await logins({}, { limit: 9, before: three })).toEqual(['ben', 'anna'])
      expect(await logins({ kind: 'technical' }, { limit: 9 })).toEqual(['robot'])
      expect(await logins({ state: 'active' }, { limit: 9 })).toEqual(['carla_x', 'anna'])
      expect(await logins({ state: 'disabled' }, { limit: 9 })).toEqual(['robot', 'ben'])
      expect(await logins({ search: 'ёЛК' }, { limit: 9 })).toEqual(['ben'])
      expect(await logins({ search: '0%' }, { limit: 9 })).toEqual(['anna'])
      expect(await logins({ search: 'ipek PINAR' }, { limit: 9 })).toEqual(['carla_x'])
      expect(await logins({ search: '_' }, { limit: 9 })).toEqual(['carla_x'])
      await users.update(three, { deletedAt: 6 })
      expect(await users.page({ state: 'deleted' }, { limit: 9 })).toMatchObject([{ id: three }])
      expect(await logins({ state: 'disabled' }, { limit: 9 })).toEqual(['ben'])
    })

    it('USER-6 lists all users by id, including deleted ones', async () => {
      const users = await open()
      const one = await users.add(anna)
      await users.add({ ...anna, login: 'aaron' })
      await users.update(one?.id as number, { deletedAt: 5 })
      expect((await users.list()).map(user => user.login)).toEqual([
        expect.stringMatching(/^deleted:[0-9a-f]{32}$/),
        'aaron',
      ])
    })
  })
}
