import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMainStore } from '../platform/db/open.ts'
import type { MainSchema } from '../platform/db/schema.ts'
import type { Store } from '../platform/db/store.ts'
import { Accounts } from './accounts.ts'
import type { User } from './ports.ts'
import { userStore } from './stores/users.ts'

let dir: string
let main: Store<MainSchema>
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lectern-accounts-'))
  main = await openMainStore(join(dir, 'main.db'))
})
afterAll(async () => {
  await main.close()
  rmSync(dir, { recursive: true })
})

describe('accounts', () => {
  it('notify every listener of a changed name after it is stored', async () => {
    const accounts = new Accounts(userStore(main.db), Date.now)
    const notified: User[] = []
    accounts.onRenamed(user => notified.push(user))
    accounts.onRenamed(user => notified.push(user))
    const guest = await accounts.addGuest('Ben')
    const renamed = await accounts.rename(guest, 'Benjamin')
    expect(notified).toEqual([renamed, renamed])
    expect(await accounts.find(guest.id)).toEqual({ ...guest, displayName: 'Benjamin' })
  })

  it('notify nobody if the name is unchanged or the account does not exist', async () => {
    const accounts = new Accounts(userStore(main.db), Date.now)
    const notified: User[] = []
    accounts.onRenamed(user => notified.push(user))
    const guest = await accounts.addGuest('Ben')
    await accounts.rename(guest, 'Ben')
    await accounts.rename(guest, '')
    await accounts.rename({ ...guest, id: guest.id + 1 }, 'Benjamin')
    expect(notified).toEqual([])
  })
})
