import { beforeAll, describe, expect, it } from 'vitest'
import { checkAppearance, PHONE } from './support/appearance.ts'
import { type Tab, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { screenshotsOf } from './support/screenshots.ts'

const lectern = useLectern()
const open = useBrowser([], { keepsPagesOpen: true })
const shoot = screenshotsOf('api-reference')
let tab: Tab
beforeAll(async () => {
  tab = await open(`${lectern.url}/docs/reference#createRoom`, { colorScheme: 'light' })
})

/** The base path of the partner API (docs/partner-api.md). */
const OPERATIONS = [
  'POST /auth/token',
  'GET /server_info',
  'PUT /rooms/{external_id}',
  'GET /rooms/{external_id}',
  'PATCH /rooms/{external_id}',
  'POST /rooms/{external_id}/cancel',
  'POST /rooms/{external_id}/close',
  'GET /rooms/{external_id}/status',
  'PUT /webhook',
  'GET /webhook',
  'GET /join/{token}',
  'POST /join/{token}',
].map(operation => operation.replace(' ', ' /api/v1/integration'))

interface Document {
  openapi: string
  paths: Record<string, Record<string, { summary: string }>>
  webhooks: Record<string, unknown>
}

const readDocument = async () => (await (await fetch(`${lectern.url}/api/openapi.json`)).json()) as Document

/** The page asked only this server, and nothing was refused or failed. */
function expectQuiet() {
  const { requests, console: said } = tab
  expect(new Set(requests.map(({ url }) => new URL(url).origin))).toEqual(new Set([lectern.url]))
  expect(said).toEqual([])
}

describe('the API reference', () => {
  it('lists every operation of the integration API in its OpenAPI document', async () => {
    const { openapi, paths } = await readDocument()
    expect(openapi).toMatch(/^3\.1\./)
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(listed).toEqual(expect.arrayContaining(OPERATIONS))
  })

  it('shows every operation and event, and opens the one that the address names', async () => {
    const { page } = tab
    await page.getByRole('heading', { name: 'With curl' }).waitFor()
    const text = (await page.locator('main').textContent()) ?? ''
    const { paths, webhooks } = await readDocument()
    for (const methods of Object.values(paths))
      for (const { summary } of Object.values(methods)) expect(text).toContain(summary)
    for (const event of Object.keys(webhooks)) expect(text).toContain(event)

    const details = await page.locator('#createRoom').textContent()
    for (const part of ['external_id', 'teacher', 'differing_fields', 'unauthenticated', 'X-Request-Id'])
      expect(details).toContain(part)
    await page.evaluate(() => {
      location.hash = '#recordingReady'
    })
    await page.locator('#recordingReady').getByText('X-Service-Signatures').waitFor()
    await checkAppearance(page, 'reference', { shoot, selector: '#createRoom', sizes: [PHONE] })
    expectQuiet()
  })
})

describe('the guides', () => {
  it('are found by a search, with operations of the reference', async () => {
    const { page } = tab
    await page.goto(`${lectern.url}/docs`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await checkAppearance(page, 'guides', { shoot, sizes: [PHONE] })
    const field = page.getByRole('searchbox')
    await field.fill('verify signature')
    await page.locator('#results a[href="/docs/webhooks#signature"]').waitFor()
    const size = page.viewportSize()
    await page.setViewportSize({ width: 320, height: 640 })
    const { x = -1, width = 0 } = (await page.locator('#results').boundingBox()) ?? {}
    expect([x >= 0, x + width <= 320]).toEqual([true, true])
    if (size) await page.setViewportSize(size)
    await field.fill('createRoom')
    await page.locator('#results a[href="/docs/reference#createRoom"]').waitFor()
    await field.fill('verify signature')
    await page.locator('#results a[href="/docs/webhooks#signature"]').click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/docs/webhooks')
    expectQuiet()
  })

  it('show the commands that install the clients with the address of this server', async () => {
    const { page } = tab
    await page.goto(`${lectern.url}/docs/clients`)
    await page.getByText(`npm install ${lectern.url}/clients/lectern-partner.tgz`).first().waitFor()
    const commands = (await page.locator('#content code').allTextContents()).join('\n')
    const addresses = [...commands.matchAll(/http[^\s"]+\/(?:clients\/[\w.-]+|embed\.js)/g)].map(
      ([each]) => each,
    )
    expect(new Set(addresses).size).toBeGreaterThan(4)
    for (const address of addresses) expect((await fetch(address)).status, address).toBe(200)
    expectQuiet()
  })

  it('remember the theme, as the rooms do', async () => {
    const { page } = tab
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByRole('button', { name: 'Use the dark theme' }).click()
    await page.goto(`${lectern.url}/docs/links`)
    await page.getByRole('button', { name: 'Use the light theme' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('lectern.theme'))).toBe('dark')
    expectQuiet()
  })
})
