import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, type Tab, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { createLinks } from './support/links.ts'

const lectern = useLectern()
const open = useBrowser(FAKE_DEVICES)
let links: Awaited<ReturnType<typeof createLinks>>
beforeAll(async () => {
  links = await createLinks(lectern.client(await lectern.addAccount()))
})

/** The script of the room; its name contains a hash of its content. */
const ROOM_CODE = /\/assets\/room-module-[^/]+\.js$/

const joinButton = (page: Page) => page.getByRole('button', { name: 'Join' })
const controls = (page: Page) => page.getByRole('region', { name: 'Controls' })
const failure = (page: Page) => page.getByRole('heading', { name: 'The room could not be loaded' })

/** A join link whose requests for the room's script are handled by `answer`. */
async function openWith(answer: (route: Route) => Promise<void>): Promise<Tab> {
  const tab = await open(links.plain.replace(/\/conferences\/.*/, '/'))
  await tab.page.route(ROOM_CODE, answer)
  await tab.page.goto(links.student)
  await joinButton(tab.page).waitFor()
  return tab
}

const notFound = (route: Route) => route.fulfill({ status: 404, body: '{}' })

describe('the code of the room', () => {
  it('is loaded while the prejoin screen is shown, and not before', async () => {
    const { page, requests } = await open(links.student)
    await joinButton(page).waitFor()
    const isRoomCode = ({ url }: { url: string }) => ROOM_CODE.test(url)
    await expect.poll(() => requests.filter(isRoomCode).length).toBe(1)
    const resolver = requests.findIndex(({ url }) => url.includes('/api/v1/integration/join/'))
    expect(requests.findIndex(isRoomCode)).toBeGreaterThan(resolver)
    await joinButton(page).click()
    await controls(page).waitFor()
    expect(requests.filter(isRoomCode).length).toBe(1)
    // Nor is the code for signed-in users, on any page of a link.
    expect(requests.filter(({ url }) => /\/assets\/(home|connection)-/.test(url))).toEqual([])
  })

  it('is reloaded after a server upgrade, and the visitor joins the room', async () => {
    let isUpgraded = false
    const { page } = await openWith(route => (isUpgraded ? route.continue() : notFound(route)))
    page.once('framenavigated', () => {
      isUpgraded = true
    })
    await joinButton(page).click()
    await controls(page).waitFor()
    expect(isUpgraded).toBe(true)
  })

  it('is reported as missing when a reload fails, until a later reload succeeds', async () => {
    let isThere = false
    const { page } = await openWith(route => (isThere ? route.continue() : notFound(route)))
    await joinButton(page).click()
    await failure(page).waitFor()
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
