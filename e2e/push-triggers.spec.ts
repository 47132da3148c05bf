import { describe, expect, it } from 'vitest'
import { type AccountDevice, useAccountDevices } from './support/account-devices.ts'
import { addUser, signInAs } from './support/accounts.ts'
import { useLectern } from './support/lectern.ts'
import type { Account } from './support/members.ts'
import { usePushInbox } from './support/push-inbox.ts'
import { pushSettings } from './support/push-settings.ts'
import { waitFor } from './support/wait.ts'

const settings = pushSettings()
const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', ...settings }))
const subscribe = usePushInbox()
const connect = useAccountDevices()

const addAccount = (login: string) => addUser(lectern, login)
let people = 0
const addPerson = async (name: string) => signInAs(lectern, await addAccount(`${name}-${++people}`))
const online = (account: Account) => connect(lectern.url, account)

/** An account with a subscription, and no connection. */
async function subscribed(name: string) {
  const account = await addPerson(name)
  const device = online(account)
  const inbox = await subscribe(device.client, device.self)
  return { account, device, inbox }
}

const chatWith = (one: AccountDevice, other: { userId: string }) => {
  const [lower, higher] = [Number(one.userId), Number(other.userId)].sort((a, b) => a - b)
  return { kind: 'chat', id: `direct:${lower}-${higher}` } as const
}

const send = (from: AccountDevice, to: { userId: string }, text: string) =>
  from.client.command('message.send', chatWith(from, to), { text })

const mute = (one: AccountDevice, other: AccountDevice, muted: boolean) =>
  one.client.command('mute.set', one.self, { user_id: other.userId, muted })

const waitForPresence = (device: AccountDevice, contact: AccountDevice, presence: string) =>
  waitFor(
    () => contact.view?.contacts.find(({ user_id }) => user_id === device.userId)?.presence === presence,
    `the contact is ${presence}`,
  )

/** Disconnects, and waits until the server knows. */
async function goOffline(device: AccountDevice, contact: AccountDevice): Promise<void> {
  await waitForPresence(device, contact, 'online')
  device.client.close()
  await waitForPresence(device, contact, 'offline')
}

describe('a push of a real message', () => {
  it('is sent to people who are offline or have hidden pages only, and never for muted conversations', async () => {
    const anna = await subscribed('anna')
    const ben = online(await addPerson('ben'))
    await ben.becomeContactOf(anna.device)
    const texts = () => anna.inbox.map(({ body }) => body)

    await send(ben, anna.device, 'while visible')
    await anna.device.client.command('presence.update', anna.device.self, { visible: false })
    await send(ben, anna.device, 'while hidden')
    await waitFor(() => texts().includes('while hidden'), 'a hidden page gets a push')
    await anna.device.client.command('presence.update', anna.device.self, { visible: true })
    await send(ben, anna.device, 'while visible again')

    await mute(anna.device, ben, true)
    await goOffline(anna.device, ben)
    await send(ben, anna.device, 'while muted')
    const cora = online(await addPerson('cora'))
    await cora.requestContact(anna.device)
    await send(cora, anna.device, 'Hello, Anna')
    await waitFor(() => anna.inbox.length > 1, 'another conversation is not muted')

    const second = online(anna.account)
    await mute(second, ben, false)
    await goOffline(second, ben)
    await send(ben, anna.device, 'while offline')
    await waitFor(() => texts().includes('while offline'), 'somebody who is offline gets a push')
    expect(anna.inbox).toMatchObject([
      { type: 'message', title: 'Ben-2', body: 'while hidden' },
      { type: 'request', body: 'Contact request: Hello, Anna' },
      { type: 'message', body: 'while offline', url: `/conversations/${chatWith(ben, second).id}` },
    ])
  })
})

describe('a push of a real call', () => {
  it('is withdrawn when it is cancelled, and when it is answered on another device', async () => {
    const anna = await subscribed('anna')
    const ben = online(await addPerson('ben'))
    await ben.becomeContactOf(anna.device)
    await ben.invite(anna.device)
    const [open] = ben.view?.calls ?? []
    if (open) await ben.act('call.cancel', open)
    await goOffline(anna.device, ben)
    expect(anna.inbox).toEqual([]) // it rang on a page

    const call = await ben.invite(anna.device)
    await waitFor(() => anna.inbox.length === 1, 'the call is notified')
    await ben.act('call.cancel', call)
    await waitFor(() => anna.inbox.length === 2, 'the notification is replaced')

    const next = await ben.invite(anna.device)
    await waitFor(() => anna.inbox.length === 3, 'the next call is notified')
    await online(anna.account).act('call.accept', next)
    await waitFor(() => anna.inbox.length === 4, 'it is replaced, too')
    const url = `/calls/${call.call_id}`
    expect(anna.inbox).toMatchObject([
      { type: 'call', body: 'Incoming video call', url },
      { type: 'call_ended', body: 'Missed call', url },
      { type: 'call', url: `/calls/${next.call_id}` },
      { type: 'call_ended', body: 'Answered on another device', url: `/calls/${next.call_id}` },
    ])
  })
})
