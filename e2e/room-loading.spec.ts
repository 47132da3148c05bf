import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Tab, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { createHostedRoom } from './support/rooms.ts'

const lectern = useLectern()
const open = useBrowser()
let links: { student: string }
beforeAll(async () => {
  ;({ links } = await createHostedRoom(lectern.client(await lectern.addAccount()), 'loading', open))
})

/** The script of the room; its name contains a hash of its content. */
const ROOM_CODE = /\/assets\/room-module-[^/]+\.js$/

const joinButton = (page: Page) => page.getByRole('button', { name: 'Join' })
const controls = (page: Page) => page.getByRole('region', { name: 'Controls' })

/** A join link whose requests for the room's script are handled by `answer`. */
async function openWith(answer: (route: Route) => Promise<void>): Promise<Tab> {
  const tab = await open('about:blank')
  await tab.page.route(ROOM_CODE, answer)
  await tab.page.goto(links.student)
  await joinButton(tab.page).waitFor()
  return tab
}

const notFound = (route: Route) => route.fulfill({ status: 404, body: '{}' })

describe('the code of the room', () => {
  it('is loaded while the prejoin screen is shown, and not before, without other pages and languages', async () => {
    const { page, requests } = await open(links.student, { locale: 'ar' })
    const join = page.getByRole('button', { name: 'انضمام' })
    await join.waitFor()
    const count = (code: RegExp) => requests.filter(({ url }) => code.test(url)).length
    await expect.poll(() => count(ROOM_CODE)).toBe(1)
    const resolver = requests.findIndex(({ url }) => url.includes('/api/v1/integration/join/'))
    expect(requests.findIndex(({ url }) => ROOM_CODE.test(url))).toBeGreaterThan(resolver)
    await join.click()
    await page.locator('[data-tile]').waitFor()
    expect(count(ROOM_CODE)).toBe(1)
    expect(count(/\/assets\/core-/)).toBe(1)
    // Nor is the code for signed-in users, on any page of a link.
    expect(count(/\/assets\/(home|admin|connection)-/)).toBe(0)
  })

  it('is reported as missing when a reload fails, until a later reload succeeds, which enters the room', async () => {
    let isThere = false
    let loads = 0
    const { page } = await openWith(route => (isThere ? route.continue() : notFound(route)))
    page.on('framenavigated', () => loads++)
    await joinButton(page).click()
    await page.getByRole('heading', { name: 'The room could not be loaded' }).waitFor()
    expect(loads).toBe(1)
    isThere = true
    await page.getByRole('button', { name: 'Reload page' }).click()
    await controls(page).waitFor()
  })

  it('is awaited while the network is down', async () => {
    const { page, context } = await openWith(route => route.abort())
    await context.setOffline(true)
    await joinButton(page).click()
    await page.getByRole('heading', { name: 'Joining…' }).waitFor()
    await page.unroute(ROOM_CODE)
    await context.setOffline(false)
    await controls(page).waitFor()
  })
})
