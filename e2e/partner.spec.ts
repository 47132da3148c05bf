import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, useLectern } from './support/lectern.ts'
import { LESSON } from './support/links.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern()
let account: Account
let partner: PartnerClient
beforeAll(async () => {
  account = await lectern.addAccount()
  partner = lectern.client(account)
})

describe('a partner backend', () => {
  it('loses access immediately when the command line disables its account, and regains it', async () => {
    expect(await partner.serverInfo()).toMatchObject({ api: { version: 'v1' } })
    await lectern.command('service-account', 'set', account.serviceAccount, '--disable')
    await expect(partner.serverInfo()).rejects.toMatchObject({ name: 'LecternError', status: 401 })
    await lectern.command('service-account', 'set', account.serviceAccount, '--enable')
    expect(await partner.serverInfo()).toMatchObject({ api: { version: 'v1' } })
  })

  it('loses no call when the server is killed and started again between its calls', async () => {
    const titles = Array.from({ length: 40 }, (_, index) => `Lesson ${index}`)
    const stored: string[] = []
    const sequence = async () => {
      for (const title of titles) {
        await partner.createRoom('restart', LESSON)
        stored.push((await partner.updateRoom('restart', { title })).title)
      }
    }
    const done = sequence()
    await Promise.race([done, waitFor(() => stored.length >= 5, 'some calls are answered')])
    await lectern.stop('SIGKILL')
    expect(stored.length).toBeLessThan(titles.length)
    await lectern.start()
    await done
    expect(stored).toEqual(titles)
    expect(await partner.roomStatus('restart')).toMatchObject({ title: titles.at(-1), status: 'scheduled' })
  })
})
