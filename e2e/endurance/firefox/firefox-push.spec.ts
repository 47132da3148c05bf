import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AccountDevice, useAccountDevices } from '../../support/account-devices.ts'
import { addUser, type Credentials, signInAs } from '../../support/accounts.ts'
import { useFirefox } from '../../support/firefox.ts'
import { useLectern } from '../../support/lectern.ts'
import { usePushService } from '../../support/push-service.ts'
import { pushSettings } from '../../support/push-settings.ts'
import { waitFor } from '../../support/wait.ts'

const settings = pushSettings()
const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', ...settings }))
const pushService = usePushService()
const preferences: Record<string, string | number | boolean> = {
  'dom.push.connection.enabled': true, // drivers turn it off
  'dom.push.testing.allowInsecureServerURL': true,
  'dom.push.testing.ignorePermission': true,
  'permissions.default.desktop-notification': 1,
  'alerts.useSystemBackend': false,
}
beforeAll(() => {
  preferences['dom.push.serverURL'] = `${pushService.url}/`
})
const open = useFirefox(preferences)
const connect = useAccountDevices()

const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const all = await registration.getNotifications()
    return all.map(({ title, body, tag }) => ({ title, body, tag }))
  })

const notifications = (page: Page) => page.getByRole('checkbox', { name: 'Notify me in this browser' })
const subscriptionsOf = async (login: string) =>
  (await lectern.command('push', 'subscriptions', login)).subscriptions as unknown as object[]

async function signedIn(person: Credentials, path = '/settings') {
  const tab = await open(`${lectern.url}${path}`)
  // Types keys, because fill() triggers no listeners in Firefox.
  await tab.page.getByRole('textbox', { name: 'Username' }).pressSequentially(person.login)
  await tab.page.getByLabel('Password').pressSequentially(person.password)
  await tab.page.keyboard.press('Enter')
  await tab.page.getByRole('heading', { name: 'Notifications' }).waitFor()
  return tab
}

/** Turns notifications on, and waits until the server knows. */
async function turnOn(page: Page, login: string) {
  await notifications(page).press('Space') // by keyboard only
  await waitFor(async () => (await subscriptionsOf(login)).length === 1, 'the server has the subscription')
}

describe('notifications in Firefox', () => {
  it('are encrypted for the browser, which decrypts and shows them', async () => {
    const anna = await addUser(lectern, 'anna')
    const { page, console } = await signedIn(anna)
    await turnOn(page, 'anna')
    expect(await subscriptionsOf('anna')).toMatchObject([
      {
        provider: 'webpush',
        platform: 'web',
        permission: 'granted',
        user_agent: expect.stringContaining('Firefox'),
      },
    ])
    const { results } = await lectern.command('push', 'test', 'anna')
    expect(results).toMatchObject([{ answer: 'HTTP 201', accepted: true }])
    const [delivered] = pushService.delivered
    expect(delivered?.body.toString()).not.toContain('Lectern')
    await waitFor(async () => (await shown(page)).length === 1, 'Firefox shows it')
    expect(await shown(page)).toEqual([
      { title: 'Lectern', body: 'Notifications work on this device.', tag: '/' },
    ])
    expect(console).toEqual([])
  })

  it('follow the browser to a new endpoint, and the server to a new key', async () => {
    const ben = await addUser(lectern, 'ben')
    const { page } = await signedIn(ben)
    await turnOn(page, 'ben')
    const before = [...pushService.channels.keys()]
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      await (await registration.pushManager.getSubscription())?.unsubscribe()
    })
    await page.reload()
    const hasNew = () => [...pushService.channels.keys()].some(id => !before.includes(id))
    await waitFor(hasNew, 'the page has subscribed again')
    await waitFor(async () => {
      const { results } = (await lectern.command('push', 'test', 'ben')) as unknown as {
        results: { accepted: boolean }[]
      }
      return results.length === 1 && results[0]?.accepted
    }, 'the new subscription works, and the old one is gone')

    await lectern.stop()
    Object.assign(settings, pushSettings())
    await lectern.start()
    const channels = new Set(pushService.channels.keys())
    await page.reload()
    await waitFor(
      () => [...pushService.channels.keys()].some(id => !channels.has(id)),
      'it has subscribed with the new key',
    )
    await waitFor(async () => {
      const { results } = (await lectern.command('push', 'test', 'ben')) as unknown as {
        results: { accepted: boolean }[]
      }
      return results.length === 1 && results[0]?.accepted
    }, 'it works')
  })

  it('notify people without a visible page of real messages and calls, and of the outcome of a call', async () => {
    const [dora, emil] = [await addUser(lectern, 'dora'), await addUser(lectern, 'emil')]
    const doras = await signInAs(lectern, dora)
    const [phone, friend] = [connect(lectern.url, doras), connect(lectern.url, await signInAs(lectern, emil))]
    await phone.becomeContactOf(friend)
    phone.client.close()
    const { page, console } = await signedIn(dora)
    await turnOn(page, 'dora')
    const before = pushService.delivered.length
    const send = (text: string) => friend.client.command('message.send', chat(phone, friend), { text })
    const shows = (body: string) =>
      waitFor(async () => (await shown(page)).some(each => each.body === body), `Firefox shows ${body}`)

    await send('while she looks')
    await setVisibility(page, 'hidden')
    await waitForPresence(friend, phone.userId, 'away')
    await send('while the page is hidden')
    await shows('while the page is hidden')
    expect(pushService.delivered).toHaveLength(before + 1)

    // A page of the same origin that is not connected.
    await page.goto(`${lectern.url}/icons/icon-192.png`)
    await waitForPresence(friend, phone.userId, 'offline')
    const call = await friend.invite(phone)
    await shows('Incoming video call')
    await friend.act('call.cancel', call)
    await shows('Missed call')
    const next = await friend.invite(phone)
    await shows('Incoming video call')
    await connect(lectern.url, doras).act('call.accept', next)
    await shows('Answered on another device')
    expect((await shown(page)).map(({ title, tag }) => [title, tag]).sort()).toEqual(
      [
        ['Emil', `/calls/${call.call_id}`],
        ['Emil', `/calls/${next.call_id}`],
        ['Emil', `/conversations/${chat(phone, friend).id}`],
      ].sort(),
    )
    expect(console).toEqual([])
  })

  it('end when they are turned off, and with the sign-out', async () => {
    const cora = await addUser(lectern, 'cora')
    const { page } = await signedIn(cora)
    await turnOn(page, 'cora')
    await notifications(page).uncheck()
    await waitFor(async () => (await subscriptionsOf('cora')).length === 0, 'the server has removed it')
    await waitFor(() => page.evaluate(isUnsubscribed), 'the browser has, too')

    await turnOn(page, 'cora')
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).last().click()
    await waitFor(() => page.evaluate(isUnsubscribed), 'the browser has unsubscribed')
    await waitFor(
      async () => (await lectern.command('push', 'test', 'cora').catch(() => null)) === null,
      'nothing is sent',
    )
  })
})

/** Runs in the page. */
async function isUnsubscribed(): Promise<boolean> {
  const registration = await navigator.serviceWorker.getRegistration('/sw.js')
  return (await registration?.pushManager.getSubscription()) == null
}

const chat = (...people: { userId: string }[]) => {
  const ids = people.map(({ userId }) => Number(userId)).sort((a, b) => a - b)
  return { kind: 'chat', id: `direct:${ids.join('-')}` } as const
}

/** Drivers cannot cover a window: the page is made to believe it. */
const setVisibility = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate(state => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

const waitForPresence = (device: AccountDevice, userId: string, presence: string) =>
  waitFor(
    () => device.view?.contacts.find(({ user_id }) => user_id === userId)?.presence === presence,
    `the contact is ${presence}`,
  )
