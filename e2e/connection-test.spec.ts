import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { createLinks } from './support/links.ts'
import { openSettings } from './support/visitor.ts'

const UNREACHABLE = '198.51.100.7' // RFC 5737: reserved for documentation

const lectern = useLectern()
const open = useBrowser()
/** The shell has no such policy. */
const openWithoutUdp = useBrowser(['--webrtc-ip-handling-policy=disable_non_proxied_udp'], {
  isFullBrowser: true,
})
let links: Awaited<ReturnType<typeof createLinks>>
beforeAll(async () => {
  links = await createLinks(lectern.client(await lectern.addAccount()))
})

const startButton = (page: Page) => page.getByRole('button', { name: 'Check connection' })
const result = (page: Page) => page.getByRole('region', { name: 'Connection' }).getByRole('status').first()

/** Presses the button and waits for the result. */
async function check(page: Page): Promise<string | null> {
  await openSettings(page)
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

  it('detects a network that blocks UDP', async () => {
    const { page } = await openWithoutUdp(links.student)
    expect(await check(page)).toBe(
      'Your network blocks the fastest route. Calls work, but audio and video may freeze at times.',
    )
    expect(await factsOf(page)).toMatchObject({ UDP: 'blocked', TCP: 'available' })
  })

  it('detects a network that blocks all media', async () => {
    const { page, context } = await open(links.student)
    const { hostname } = new URL(lectern.url)
    await context.route('**/connection-test', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replaceAll(hostname, UNREACHABLE) })
    })
    expect(await check(page)).toBe('Your network blocks calls. Try another network, such as mobile data.')
    expect(await factsOf(page)).toMatchObject({ UDP: 'blocked', TCP: 'blocked' })
  })
})
