import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Size, writeCamera } from './camera.ts'

/** The whole browser; each of its windows takes more of the processor than a page of ours. */
const WHOLE = { executablePath: '/usr/bin/chromium', args: ['--headless=new'] }

/** The same engine without windows, profiles and settings. */
const SHELL = { executablePath: '/usr/bin/chromium-headless-shell', args: [] }

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const launchOptions = ({ executablePath, args }: typeof WHOLE | typeof SHELL, more: string[]) => ({
  executablePath,
  args: [...args, ...QUIET, ...more],
})

const LARGE_CAMERA = '--use-fake-device-for-media-stream=fps=10'

/** What says yes when a page asks for camera and microphone. */
const VISITOR_WHO_ALLOWS = '--use-fake-ui-for-media-stream'

/** A camera of 720 lines and a microphone that are none, and a visitor who allows everything at once. */
export const LARGE_FAKE_DEVICES = [LARGE_CAMERA, VISITOR_WHO_ALLOWS]

/** A small camera instead, and a visitor who is yet to be asked. */
export const ASKING_FAKE_DEVICES = [LARGE_CAMERA, `--use-file-for-fake-video-capture=${writeCamera()}`]

/** The small camera, and all allowed: all else is alike, and these small machines have time for the rest. */
export const FAKE_DEVICES = [...ASKING_FAKE_DEVICES, VISITOR_WHO_ALLOWS]

/** A camera of that size. */
export const devicesOfSize = (size: Size) => [
  LARGE_CAMERA,
  VISITOR_WHO_ALLOWS,
  `--use-file-for-fake-video-capture=${writeCamera(size)}`,
]

/** A tab, and what was seen going on in it. */
export interface Tab {
  page: Page
  context: BrowserContext
  /** Every request, the way it left the browser. */
  requests: { url: string; headers: Promise<Record<string, string>> }[]
  /** What the console said, and errors that nobody caught. */
  console: string[]
}

export type Open = (url: string, options?: BrowserContextOptions) => Promise<Tab>

interface Wishes {
  /** Pages stay open from test to test, for stories that go on. */
  staysOpen?: boolean
  /** For stories about what the browser itself does: permissions, windows, devices that go. */
  isWhole?: boolean
}

/** Opens pages in one Chromium for the tests of the file, each with a profile of its own. */
export function useBrowser(args: string[] = [], { isWhole = false, staysOpen = false }: Wishes = {}): Open {
  return useLaunched(() => chromium.launch(launchOptions(isWhole ? WHOLE : SHELL, args)), { staysOpen })
}

/** Opens pages in one browser for the tests of the file, each with a profile of its own. */
export function useLaunched(launch: () => Promise<Browser>, { staysOpen = false } = {}): Open {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterEach(async () => {
    if (!staysOpen) await Promise.all(browser.contexts().map(context => context.close()))
  })
  afterAll(() => browser?.close())

  return async (url, options) => {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options })
    const tab = watch(await context.newPage())
    await tab.page.goto(url)
    return tab
  }
}

/** A Chromium whose owner blocks cookies and site data everywhere; the profile is an empty folder. */
export async function withBlockedStorage(
  profile: string,
  look: (tab: Tab) => Promise<void>,
  args: string[] = [],
) {
  const blocked = { profile: { default_content_setting_values: { cookies: 2 } } }
  mkdirSync(join(profile, 'Default'))
  writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify(blocked))
  const context = await chromium.launchPersistentContext(profile, {
    ...launchOptions(WHOLE, args),
    locale: 'en-GB',
  })
  try {
    await look(watch(await context.newPage()))
  } finally {
    await context.close()
  }
}

export function watch(page: Page): Tab {
  const tab: Tab = { page, context: page.context(), requests: [], console: [] }
  page.on('request', request => {
    tab.requests.push({ url: request.url(), headers: request.allHeaders().catch(() => ({})) })
  })
  page.on('console', message => tab.console.push(message.text()))
  page.on('pageerror', error => tab.console.push(String(error)))
  return tab
}
