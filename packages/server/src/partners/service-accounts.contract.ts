import { describe, expect, it } from 'vitest'
import type { ServiceAccount } from './ports.ts'
import type { ServiceAccountStore } from './stores/service-accounts.ts'

const school: ServiceAccount = {
  name: 'school',
  clientId: 7,
  secretHash: 'hmac-sha256:abc',
  scopes: ['integration:rooms', 'blob'],
  enabled: true,
  createdAt: 1_700_000_000,
}

/** The contract of service account stores. Each call of `open` returns an empty one. */
export function describeServiceAccountStore(open: () => Promise<ServiceAccountStore>) {
  describe('service account store', () => {
    it('ACCOUNT-1 returns what was added', async () => {
      const accounts = await open()
      expect(await accounts.add(school)).toBe(true)
      expect(await accounts.find('school')).toEqual(school)
    })

    it('ACCOUNT-2 rejects a duplicate name and keeps the first account', async () => {
      const accounts = await open()
      await accounts.add(school)
      expect(await accounts.add({ ...school, clientId: 8 })).toBe(false)
      expect(await accounts.find('school')).toEqual(school)
    })

    it('ACCOUNT-3 distinguishes upper and lower case', async () => {
      const accounts = await open()
      await accounts.add(school)
      expect(await accounts.find('School')).toBeNull()
      expect(await accounts.add({ ...school, name: 'School' })).toBe(true)
    })

    it('ACCOUNT-4 changes only the given fields', async () => {
      const accounts = await open()
      await accounts.add(school)
      expect(await accounts.update('school', { enabled: false })).toEqual({ ...school, enabled: false })
      expect(await accounts.update('school', { scopes: ['blob'] })).toEqual({
        ...school,
        enabled: false,
        scopes: ['blob'],
      })
      expect(await accounts.update('nobody', { enabled: true })).toBeNull()
    })

    it('ACCOUNT-5 lists all by name', async () => {
      const accounts = await open()
      await accounts.add(school)
      await accounts.add({ ...school, name: 'clinic' })
      expect((await accounts.list()).map(account => account.name)).toEqual(['clinic', 'school'])
    })

    it('ACCOUNT-7 replaces a secret, keeps the one before for a time, and removes an account', async () => {
      const accounts = await open()
      await accounts.add(school)
      expect(await accounts.rotate('school', { secretHash: 'hmac-sha256:new', previousUntil: 900 })).toBe(
        true,
      )
      const previous = { secretHash: school.secretHash, expiresAt: 900 }
      expect(await accounts.find('school')).toEqual({ ...school, secretHash: 'hmac-sha256:new', previous })
      await accounts.replaceHash('school', 'hmac-sha256:new', 'hmac-sha256:newer')
      expect(await accounts.find('school')).toEqual({ ...school, secretHash: 'hmac-sha256:newer', previous })
      expect(
        await accounts.rotate('nobody', { secretHash: 'hmac-sha256:new', previousUntil: 900 }),
      ).toBeNull()
      expect(await accounts.remove('school')).toBe(true)
      expect(await accounts.remove('school')).toBe(false)
      expect(await accounts.find('school')).toBeNull()
    })

    it('ACCOUNT-7 replaces a secret once of two at a time, if none before it is to be valid', async () => {
      const accounts = await open()
      await accounts.add(school)
      const next = { previousUntil: 900, settledAt: 600 }
      const both = ['hmac-sha256:a', 'hmac-sha256:b'].map(secretHash =>
        accounts.rotate('school', { secretHash, ...next }),
      )
      expect((await Promise.all(both)).sort()).toEqual([false, true])
      const previous = { secretHash: school.secretHash, expiresAt: 900 }
      expect(await accounts.find('school')).toMatchObject({ previous })
      expect(await accounts.finishRotation('school')).toBe(true)
      expect(await accounts.find('school')).not.toHaveProperty('previous')
      expect(await accounts.finishRotation('school')).toBe(true)
      expect(await accounts.finishRotation('nobody')).toBe(false)
      expect(await accounts.rotate('school', { secretHash: 'hmac-sha256:c', ...next })).toBe(true)
      const later = { secretHash: 'hmac-sha256:d', previousUntil: 1_900, settledAt: 900 }
      expect(await accounts.rotate('school', later)).toBe(true)
    })

    it('ACCOUNT-6 replaces a hash, unless it is another one by now', async () => {
      const accounts = await open()
      await accounts.add(school)
      await accounts.add({ ...school, name: 'clinic' })
      await accounts.replaceHash('school', school.secretHash, 'hmac-sha256:new')
      expect(await accounts.find('school')).toEqual({ ...school, secretHash: 'hmac-sha256:new' })
      await accounts.replaceHash('school', school.secretHash, 'hmac-sha256:late')
      expect(await accounts.find('school')).toMatchObject({ secretHash: 'hmac-sha256:new' })
      expect(await accounts.find('clinic')).toMatchObject({ secretHash: school.secretHash })
    })
  })
}
