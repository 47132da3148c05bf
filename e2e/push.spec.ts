import type { Page, Worker } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useAccountDevices } from './support/account-devices.ts'
import { addUser, type Credentials, fillSignIn, signInAs } from './support/accounts.ts'
import { checkAppearance, PHONE } from './support/appearance.ts'
import { useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { usePushInbox } from './support/push-inbox.ts'
import { pushSettings } from './support/push-settings.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { waitFor } from './support/wait.ts'

const settings = pushSettings()
const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', ...settings }))
// The shell has no notifications.
const open = useBrowser([], { isFullBrowser: true, keepsPagesOpen: true })
const subscribe = usePushInbox()
const connect = useAccountDevices()
const shoot = screenshotsOf('push')

interface WorkerScope {
  /** How many notifications the worker has shown. */
  shown: number
  ServiceWorkerRegistration: {
    prototype: { showNotification(this: object, title: string, options: object): Promise<void> }
  }
}

interface Shown {
  title: string
  body: string
  tag: string
  requireInteraction: boolean
  icon: string
}

/** A signed-in user whose page has registered the service worker, which is active. */
async function openHome(person: Credentials, path = '/meetings') {
  const tab = await open(`${lectern.url}${path}`, { permissions: ['notifications'] })
  const { page, context } = tab
  await fillSignIn(page, person)
  await page.getByRole('heading', { name: 'Your meetings' }).waitFor()
  const protocol = await context.newCDPSession(page)
  const ids: string[] = []
  protocol.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    ids.push(...registrations.map(({ registrationId }) => registrationId))
  })
  await protocol.send('ServiceWorker.enable')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js')
    const { active } = await navigator.serviceWorker.ready
    // It may still be activating: the browser delivers pushes to activated workers only.
    while (active?.state !== 'activated') await new Promise(done => setTimeout(done, 20))
  })
  await waitFor(() => ids.length > 0 && context.serviceWorkers().length > 0, 'the worker is registered')
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('no worker')
  await countShown(worker)
  return { ...tab, protocol, worker, registrationId: ids[0] ?? '' }
}

type Home = Awaited<ReturnType<typeof openHome>>

const countShown = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope
    const { prototype } = scope.ServiceWorkerRegistration
    const show = prototype.showNotification
    scope.shown = 0
    prototype.showNotification = async function (...settings) {
      await show.apply(this, settings)
      scope.shown++
    }
  })

const shownIn = (worker: Worker) => worker.evaluate(() => (globalThis as unknown as WorkerScope).shown)

/**
 * As a push service delivers it, after the browser has decrypted it. Waits until the worker has shown it: Chromium loses a
 * notification that it shows while somebody asks for all of them.
 */
async function push({ protocol, worker, registrationId }: Home, data: string): Promise<void> {
  const before = await shownIn(worker)
  await protocol.send('ServiceWorker.deliverPushMessage', { origin: lectern.url, registrationId, data })
  await waitFor(async () => (await shownIn(worker)) > before, `a notification is shown for ${data}`)
}

const shown = (page: Page): Promise<Shown[]> =>
  page.evaluate(async () => {
    const { getNotifications } = await navigator.serviceWorker.ready
    const all = await getNotifications.call(await navigator.serviceWorker.ready)
    return all.map(({ title, body, tag, requireInteraction, icon }) => ({
      title,
      body,
      tag,
      requireInteraction,
      icon,
    }))
  })

/** What the worker does when somebody clicks the only notification. Returns the addresses that it opens. */
const click = (worker: Worker): Promise<string[]> =>
  worker.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: { getNotifications(): Promise<object[]> }
      clients: { openWindow: unknown }
      NotificationEvent: new (type: string, init: object) => Event
      dispatchEvent(event: Event): boolean
    }
    const opened: string[] = []
    // Browsers permit it only after a click of a person.
    Object.defineProperty(scope.clients, 'openWindow', {
      configurable: true,
      value: async (url: string) => void opened.push(url),
    })
    const [notification] = await scope.registration.getNotifications()
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }))
    await new Promise(done => setTimeout(done, 1_500))
    return opened
  })

const pathOf = (page: Page) => new URL(page.url()).pathname
const message = (changes: object = {}) =>
  JSON.stringify({ title: 'Ben', body: 'Are you there?', type: 'message', url: '/settings', ...changes })

let home: Home
let dora: Credentials
beforeAll(async () => {
  dora = await addUser(lectern, 'dora')
  home = await openHome(dora)
})

const closeAll = () =>
  home.page.evaluate(async () => {
    for (const each of await (await navigator.serviceWorker.ready).getNotifications()) each.close()
  })

describe('the service worker', () => {
  it('shows pushes as one notification for each conversation, and something for one that it does not understand', async () => {
    await push(home, message())
    expect(await shown(home.page)).toMatchObject([
      { title: 'Ben', body: 'Are you there?', tag: '/settings', requireInteraction: false },
    ])
    await push(home, message({ body: 'Hello?' }))
    expect(await shown(home.page)).toMatchObject([{ body: 'Hello?' }])
    await push(home, message({ title: 'Cora', type: 'call', body: 'Incoming call', url: '/calls/1' }))
    expect(await shown(home.page), 'a call is shown beside it').toHaveLength(2)
    expect((await shown(home.page)).find(({ title }) => title === 'Cora')).toMatchObject({
      requireInteraction: true,
    })
    await closeAll()
    for (const data of ['', 'no JSON', '{"title":7,"body":{},"url":"https://elsewhere.example/x"}'])
      await push(home, data)
    expect(await shown(home.page)).toMatchObject([{ title: 'Lectern', body: '', tag: '/' }])
    await closeAll()
  })

  it('asks the server for the time of a call: the clock of the device may be wrong', async () => {
    const setAhead = (aheadMs: number) =>
      home.worker.evaluate(ms => {
        const scope = globalThis as unknown as { trueNow?: () => number }
        scope.trueNow ??= Date.now
        const { trueNow } = scope
        Date.now = () => trueNow() + ms
      }, aheadMs)
    const late = { after_ms: Date.now() + 120_000, body: 'Missed call' }
    await setAhead(600_000)
    await push(home, message({ type: 'call', body: 'Incoming call', url: '/calls/2', late }))
    expect(await shown(home.page)).toMatchObject([{ body: 'Incoming call', requireInteraction: true }])
    await setAhead(0)
    await closeAll()
  })

  it('shows the clicked notification in an open page, without a reload', async () => {
    await home.page.evaluate(() => Object.assign(window, { wasKept: true }))
    await push(home, message({ url: '/conversations/direct:1-2' }))
    expect(await click(home.worker)).toEqual([])
    await waitFor(() => pathOf(home.page) === '/conversations/direct:1-2', 'the page is there')
    expect(await home.page.evaluate(() => 'wasKept' in window)).toBe(true)
    expect(await shown(home.page)).toEqual([])
  })

  it('opens a new page if the account has none open, and never navigates away from a call', async () => {
    const { page, worker } = home
    await push(home, message({ url: '/calls/c1' }))
    await page.goto(`${lectern.url}/conferences/abcd-efghi-jklm`)
    expect(await click(worker)).toEqual(['/calls/c1'])
    expect(pathOf(page)).toBe('/conferences/abcd-efghi-jklm')
  })
})

describe('a real message and a real call', () => {
  it('reach the service worker of a user who is offline; a click on the message opens the conversation', async () => {
    const emil = await addUser(lectern, 'emil')
    const doras = await signInAs(lectern, dora)
    const device = connect(lectern.url, doras)
    const friend = connect(lectern.url, await signInAs(lectern, emil))
    await device.becomeContactOf(friend)
    // Chromium subscribes at Google only: the test decrypts instead, and passes the content to the worker.
    const inbox = await subscribe(device.client, device.self)
    device.client.close()
    let delivered = 0
    const deliver = async (type: string) => {
      await waitFor(() => inbox[delivered]?.type === type, `${type} is pushed`)
      await push(home, JSON.stringify(inbox[delivered++]))
    }
    const bodies = async () => (await shown(home.page)).map(({ body }) => body).sort()

    await home.page.goto(`${lectern.url}/icons/icon-192.png`) // not connected
    const isOffline = () => friend.view?.contacts[0]?.presence === 'offline'
    await waitFor(isOffline, 'nobody is there')
    const call = await friend.invite(device)
    await deliver('call')
    expect(await bodies()).toEqual(['Incoming video call'])
    await friend.act('call.cancel', call)
    await deliver('call_ended')
    expect(await bodies()).toEqual(['Missed call'])
    expect(await shown(home.page)).toMatchObject([{ requireInteraction: false }])
    await closeAll()
    const [lower, higher] = [Number(device.userId), Number(friend.userId)].sort((a, b) => a - b)
    const id = `direct:${lower}-${higher}`
    await friend.client.command('message.send', { kind: 'chat', id }, { text: 'Call me back' })
    await deliver('message')
    expect(await bodies()).toEqual(['Call me back'])
    const { worker } = home
    await home.page.goto(`${lectern.url}/meetings`)
    await home.page.getByRole('heading', { name: 'Your meetings' }).waitFor()
    expect(await click(worker)).toEqual([])
    await home.page.getByText('Call me back').first().waitFor()
    expect(pathOf(home.page)).toBe(`/conversations/${id}`)
  })
})

describe('the pages', () => {
  it('have a switch for notifications that is accessible and fits a phone', async () => {
    const { page } = home
    await page.goto(`${lectern.url}/settings`)
    await page.getByRole('checkbox', { name: 'Notify me in this browser' }).waitFor()
    await checkAppearance(page, 'switch', { shoot, sizes: [PHONE] })
  })

  it('are installable', async () => {
    const { protocol } = home
    const { url, errors, data } = await protocol.send('Page.getAppManifest')
    expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []])
    const manifest = JSON.parse(data ?? '{}')
    expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' })
    for (const { src, type, sizes } of manifest.icons) {
      const answer = await fetch(new URL(src, lectern.url))
      expect([answer.status, answer.headers.get('content-type')], src).toEqual([200, type])
      if (type === 'image/png') {
        const bytes = Buffer.from(await answer.arrayBuffer())
        expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
      }
    }
    const worker = await fetch(`${lectern.url}/sw.js`)
    expect(worker.headers.get('content-type')).toMatch(/^(text|application)\/javascript/)
    expect(worker.headers.get('cache-control')).toBe('no-cache')
    const { push_enabled, push_vapid_public_key } = await (
      await fetch(`${lectern.url}/api/v1.0/server_info`)
    ).json()
    expect([push_enabled, push_vapid_public_key]).toEqual([true, settings.SVC_PUSH_VAPID_PUBLIC_KEY])
  })
})
