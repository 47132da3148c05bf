import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, type Credentials, createConference, fillSignIn, signInAs } from './support/accounts.ts'
import { useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser([], { keepsPagesOpen: true })
const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

let anna: Credentials
let tag: string
let page: Page
beforeAll(async () => {
  anna = await addUser(lectern, 'anna', { capabilities: ['admin'] })
  tag = (await createConference(lectern, await signInAs(lectern, anna), 'Monday round')).tag
  const tab = await open(lectern.url, { reducedMotion: 'reduce' })
  page = tab.page
  await fillSignIn(page, anna)
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
})

/** How a page is left: by the navigation of the pages, a link to the page above, a button, or the menu of the corner. */
type Way = 'navigation' | 'back' | 'button' | 'menu'

const WAYS = {
  navigation: () =>
    page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Chats' }),
  back: () => page.getByRole('link', { name: 'Back', exact: true }),
  button: () => page.getByRole('main').getByRole('button', { name: 'Home', exact: true }),
  menu: () => page.getByRole('banner').getByRole('button', { name: 'Menu', exact: true }),
}

const pathOf = () => new URL(page.url()).pathname

async function leave(way: Way) {
  await WAYS[way]().click()
  if (way === 'menu')
    await page.getByRole('banner').getByRole('button', { name: 'Home', exact: true }).click()
}

/** Opens a page as the browser's own buttons do, without loading everything again. */
const visit = (path: string) =>
  page.evaluate(to => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** Each route, its way back on a desktop and on a phone, and where the latter leads. */
const ROUTES: readonly (readonly [path: string, desktop: Way, phone: Way, leadsTo: string])[] = [
  ['/contacts', 'navigation', 'navigation', '/'],
  ['/calls', 'navigation', 'navigation', '/'],
  ['/calls/999', 'navigation', 'back', '/calls'],
  ['/meetings', 'navigation', 'navigation', '/'],
  ['/recordings', 'navigation', 'navigation', '/'],
  ['/recordings/none', 'navigation', 'back', '/recordings'],
  ['/settings', 'navigation', 'navigation', '/'],
  ['/conversations/direct:1-99', 'navigation', 'back', '/'],
  ['/conversations/conference:TAG', 'navigation', 'back', '/'],
  ['/admin', 'navigation', 'navigation', '/'],
  ...[
    'users',
    'sessions',
    'rooms',
    'recordings',
    'transcripts',
    'jobs',
    'webhooks',
    'push',
    'service-accounts',
    'audit',
  ].map(section => [`/admin/${section}`, 'back', 'back', '/admin'] as const),
  ['/admin/users/1', 'back', 'back', '/admin/users'],
  ['/conferences/TAG', 'menu', 'menu', '/'],
  ['/conferences/no-such-meeting', 'menu', 'menu', '/'],
  ['/invite/no-such-invitation', 'menu', 'menu', '/'],
  ['/sign-in/callback', 'menu', 'menu', '/'],
  ['/no/such/page', 'button', 'button', '/'],
]

describe('the way back', () => {
  it.each(ROUTES)('of %s', async (path, desktop, phone, leadsTo) => {
    await page.setViewportSize(DESKTOP)
    await visit(path.replace('TAG', tag))
    await WAYS[desktop]().waitFor()
    await page.setViewportSize(PHONE)
    await WAYS[phone]().waitFor()
    await leave(phone)
    await waitFor(async () => pathOf() === leadsTo, `the page ${leadsTo}`)
  })

  it('of a meeting leads over its last page to the pages of the user', async () => {
    await page.setViewportSize(PHONE)
    await page.goto(`${lectern.url}/conferences/${tag}`)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('region', { name: 'Controls' }).getByRole('button', { name: 'Leave' }).click()
    await leave('button')
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    expect(pathOf()).toBe('/')
  })

  it('of every page of the user is in the main menu of a phone, or in its bar', async () => {
    await page.setViewportSize(PHONE)
    await page.goto(lectern.url)
    for (const [name, path] of [
      ['Recordings', '/recordings'],
      ['Settings', '/settings'],
      ['Admin', '/admin'],
    ] as const) {
      await page.getByRole('button', { name: 'Menu', exact: true }).click()
      await page.getByRole('button', { name, exact: true }).click()
      await waitFor(async () => pathOf() === path, `the page ${path}`)
    }
  })
})
