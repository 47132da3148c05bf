import { WritableObservable } from '@lectern/common'
import { expect, it } from 'vitest'
import type { Account, AccountState, User } from '../identity/account.ts'
import type { AccountConnection } from './account-connection.ts'
import { SignedIn } from './signed-in.ts'

const AccountLayer = () => null
const InviteToRoom = () => null

function start() {
  const account = new WritableObservable<AccountState>({ is: 'out', expired: false })
  const log: string[] = []
  let failure: Error | null = null
  const open = (_: Account, { login }: User) => {
    log.push(`open ${login}`)
    return { close: () => void log.push(`close ${login}`) } as AccountConnection
  }
  const signedIn = new SignedIn({
    account: account as unknown as Account,
    load: async () => {
      if (failure) throw failure
      return { openAccountConnection: open, AccountLayer, InviteToRoom }
    },
  })
  const signIn = (userId: number, login: string) =>
    account.set({ is: 'in', user: { userId, login, displayName: '' } })
  const settle = () => new Promise(resolve => setTimeout(resolve))
  return { account, signedIn, signIn, log, settle, fail: (error: Error) => (failure = error) }
}

it('connects while a user is signed in and the page shows the account', async () => {
  const { account, signedIn, signIn, log, settle } = start()
  signIn(7, 'anna')
  await settle()
  expect([signedIn.get().is, log]).toEqual(['none', []])
  signedIn.setWanted(true)
  expect(signedIn.get().is).toBe('loading')
  await settle()
  expect([signedIn.get().is, log]).toEqual(['connected', ['open anna']])
  account.set({ is: 'out', expired: true })
  expect([signedIn.get().is, log]).toEqual(['none', ['open anna', 'close anna']])
})

it('replaces the connection when another account signs in, and not for a new name', async () => {
  const { signedIn, signIn, log, settle } = start()
  signedIn.setWanted(true)
  signIn(7, 'anna')
  await settle()
  signIn(7, 'anne')
  await settle()
  expect(log).toEqual(['open anna'])
  signIn(8, 'ben')
  await settle()
  expect(log).toEqual(['open anna', 'close anna', 'open ben'])
})

it('opens nothing for an account that signed out while the code was loading', async () => {
  const { account, signedIn, signIn, log, settle } = start()
  signedIn.setWanted(true)
  signIn(7, 'anna')
  account.set({ is: 'out', expired: false })
  await settle()
  expect([signedIn.get().is, log]).toEqual(['none', []])
})

it('fails when the code does not load, and tries again after the next sign-in', async () => {
  const { account, signedIn, signIn, settle, fail } = start()
  fail(new Error('no network'))
  signedIn.setWanted(true)
  signIn(7, 'anna')
  await settle()
  expect(signedIn.get().is).toBe('failed')
  account.set({ is: 'out', expired: false })
  expect(signedIn.get().is).toBe('none')
})
