import { createHash, X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Size, writeCamera } from './camera.ts'
import { noteOpened } from './opened.ts'
import { HANGS_AFTER_MS } from './wait.ts'

/** The full browser; its windows use much CPU time. */
const CHROMIUM = { executablePath: '/usr/bin/chromium', args: ['--headless=new'] }

/** The same engine without windows, profiles and settings. */
const HEADLESS_SHELL = { executablePath: '/usr/bin/chromium-headless-shell', args: [] }

const COMMON_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const launchOptions = (
  { executablePath, args }: typeof CHROMIUM | typeof HEADLESS_SHELL,
  more: string[],
) => ({
  executablePath,
  args: [...args, ...COMMON_ARGS, ...more],
})

/** Of each page when a test fails. */
const PRINTED_CHARACTERS = 2_000

const FAKE_CAMERA = '--use-fake-device-for-media-stream=fps=10'

/** Grants camera and microphone without a prompt. */
const GRANT_PERMISSIONS = '--use-fake-ui-for-media-stream'

/** A fake 720p camera and a fake microphone, with all permissions granted. */
export const LARGE_FAKE_DEVICES = [FAKE_CAMERA, GRANT_PERMISSIONS]

/** A small fake camera and a fake microphone, with a permission prompt. */
export const FAKE_DEVICES_WITH_PROMPT = [FAKE_CAMERA, `--use-file-for-fake-video-capture=${writeCamera()}`]

/** A small fake camera and a fake microphone, with all permissions granted; small frames save CPU time. */
export const FAKE_DEVICES = [...FAKE_DEVICES_WITH_PROMPT, GRANT_PERMISSIONS]

/** A fake camera of the given size. */
export const fakeDevicesOfSize = (size: Size) => [
  FAKE_CAMERA,
  GRANT_PERMISSIONS,
  `--use-file-for-fake-video-capture=${writeCamera(size)}`,
]

/** Accepts a server with the certificate in the file. */
export function trusting(certificate: string): string {
  const { publicKey } = new X509Certificate(readFileSync(certificate))
  const key = publicKey.export({ type: 'spki', format: 'der' })
  return `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`
}

/** A tab with its recorded requests and console messages. */
export interface Tab {
  page: Page
  context: BrowserContext
  /** All requests, with the headers that were sent once they are answered: an aborted one may never tell them. */
  requests: { url: string; headers?: Record<string, string> }[]
  /** Console messages and uncaught errors. */
  console: string[]
}

export type OpenTab = (url: string, options?: BrowserContextOptions) => Promise<Tab>

interface BrowserSetup {
  /** Pages stay open between the tests of a file. */
  keepsPagesOpen?: boolean
  /** For stories about permissions, windows and device changes. */
  isFullBrowser?: boolean
}

/** Opens pages in one Chromium for the tests of a file, each with its own profile. */
export function useBrowser(
  args: string[] = [],
  { isFullBrowser = false, keepsPagesOpen = false }: BrowserSetup = {},
): OpenTab {
  return useLaunched(() => chromium.launch(launchOptions(isFullBrowser ? CHROMIUM : HEADLESS_SHELL, args)), {
    keepsPagesOpen,
  })
}

/** Opens pages in one browser for the tests of a file, each with its own profile. */
export function useLaunched(launch: () => Promise<Browser>, { keepsPagesOpen = false } = {}): OpenTab {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
    noteOpened('browser')
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await printPages(browser)
    if (!keepsPagesOpen) await Promise.all(browser.contexts().map(context => context.close()))
  })
  afterAll(() => browser?.close())

  return async (url, options) => {
    noteOpened('page')
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options })
    context.setDefaultTimeout(HANGS_AFTER_MS)
    const tab = trackTab(await context.newPage())
    await tab.page.goto(url)
    return tab
  }
}

/** Prints what a failed test left in the open pages, without addresses and entered texts: both may be secrets. */
async function printPages(browser: Browser): Promise<void> {
  for (const page of browser.contexts().flatMap(context => context.pages())) {
    const snapshot = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String)
    const text = snapshot
      .replace(/^ *- \/url: .*$\n?/gm, '')
      .replace(/^( *- textbox .*?"[^:\n]*):.*$/gm, '$1')
    console.log(`An open page, ${await page.title().catch(String)}:\n${text.slice(0, PRINTED_CHARACTERS)}`)
  }
}

/** Runs a Chromium that blocks cookies and site data; `profile` is an empty folder. */
export async function withBlockedStorage(
  profile: string,
  test: (tab: Tab) => Promise<void>,
  args: string[] = [],
) {
  const blocked = { profile: { default_content_setting_values: { cookies: 2 } } }
  mkdirSync(join(profile, 'Default'))
  writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify(blocked))
  const context = await chromium.launchPersistentContext(profile, {
    ...launchOptions(CHROMIUM, args),
    locale: 'en-GB',
  })
  try {
    await test(trackTab(await context.newPage()))
  } finally {
    await context.close()
  }
}

export function trackTab(page: Page): Tab {
  const tab: Tab = { page, context: page.context(), requests: [], console: [] }
  const requests = new Map<Request, Tab['requests'][number]>()
  page.on('request', request => {
    const made = { url: request.url() }
    tab.requests.push(made)
    requests.set(request, made)
  })
  page.on('requestfinished', async request => {
    const made = requests.get(request)
    if (made) made.headers = await request.allHeaders().catch(() => ({}))
  })
  page.on('console', message => tab.console.push(message.text()))
  page.on('pageerror', error => tab.console.push(String(error)))
  return tab
}
