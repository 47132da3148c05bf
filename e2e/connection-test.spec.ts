import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkAppearance, PHONE } from './support/appearance.ts'
import { useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { createLinks } from './support/links.ts'
import { screenshotsOf } from './support/screenshots.ts'

const UNREACHABLE = '198.51.100.7' // RFC 5737: reserved for documentation

const lectern = useLectern()
const unreachable = useLectern(() => ({ SVC_MEDIA_ANNOUNCED_ADDRESS: UNREACHABLE }))
const open = useBrowser()
/** The shell has no such policy. */
const openWithoutUdp = useBrowser(['--webrtc-ip-handling-policy=disable_non_proxied_udp'], {
  isFullBrowser: true,
})
const shoot = screenshotsOf('connection-test')
let links: Awaited<ReturnType<typeof createLinks>>
beforeAll(async () => {
  links = await createLinks(lectern.client(await lectern.addAccount()))
})

const startButton = (page: Page) => page.getByRole('button', { name: 'Check connection' })
const result = (page: Page) => page.getByRole('region', { name: 'Connection' }).getByRole('status').first()

/** Presses the button and waits for the result. */
async function check(page: Page): Promise<string | null> {
  const runs = page.getByRole('button', { name: 'Checking your connection…' }).waitFor({ timeout: 2_000 })
  const begun = runs.catch(() => {}) // the test may finish first
  await startButton(page).click()
  await begun
  await startButton(page).waitFor()
  return result(page).textContent()
}

async function factsOf(page: Page): Promise<Record<string, string>> {
  await page.getByText('Details for support').click()
  const rows = await page.getByRole('region', { name: 'Connection' }).locator('dl > div').all()
  const facts = await Promise.all(
    rows.map(async row => [await row.locator('dt').textContent(), await row.locator('dd').textContent()]),
  )
  return Object.fromEntries(facts)
}

describe('the connection test', () => {
  it('reports a good connection, and shows details for support', async () => {
    const { page, console } = await open(links.teacher)
    expect(await check(page)).toBe('Your connection is good. Audio and video take the direct route.')
    expect(await factsOf(page)).toMatchObject({
      UDP: 'available',
      TCP: 'available',
      TURN: 'not offered',
      Server: new URL(lectern.url).host,
    })
    expect(console).toEqual([])
  })

  it('copies its report without the secret link', async () => {
    const { page, context } = await open(links.teacher)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await check(page)
    await page.getByText('Details for support').click()
    await page.getByRole('button', { name: 'Copy details' }).click()
    await page.getByText('Copied.').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(/^UDP: available\nTCP: available\nTURN: not offered\nServer: 127\.0\.0\.1:\d+\n/)
    expect(copied).not.toContain('/j/')
  })

  it('detects a network that blocks UDP', async () => {
    const { page } = await openWithoutUdp(links.student)
    expect(await check(page)).toBe(
      'Your network blocks the fastest route. Calls work, but audio and video may freeze at times.',
    )
    expect(await factsOf(page)).toMatchObject({ UDP: 'blocked', TCP: 'available' })
  })

  it('detects a network that blocks all media', async () => {
    const { teacher } = await createLinks(unreachable.client(await unreachable.addAccount()))
    const { page } = await open(teacher)
    expect(await check(page)).toBe('Your network blocks calls. Try another network, such as mobile data.')
    expect(await factsOf(page)).toMatchObject({ UDP: 'blocked', TCP: 'blocked' })
    await shoot(page, 'nothing', { fullPage: true })
  })

  it('reports a busy server instead of a network problem, and can be repeated', async () => {
    const { page, context } = await open(links.student)
    const body = { result: 503, code: 'temporarily_unavailable', message: 'Try again.' }
    await context.route('**/connection-test', route => route.fulfill({ status: 503, json: body }))
    await startButton(page).click()
    await page.getByText('The connection could not be checked.').waitFor()
    await context.unroute('**/connection-test')
    expect(await check(page)).toContain('Your connection is good')
  })

  it('works by keyboard, keeps the focus, has no accessibility violation and fits every screen', async () => {
    const { page } = await open(links.plain, { reducedMotion: 'reduce' })
    await startButton(page).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Your connection is good').waitFor()
    expect(await startButton(page).evaluate(button => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copy details' }).waitFor()
    await checkAppearance(page, 'good', { shoot, sizes: [PHONE] })
  })
})
