import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'

export const CHROMIUM = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

/** A tab, and what was seen going on in it. */
export interface Tab {
  page: Page
  context: BrowserContext
  /** Every request, the way it left the browser. */
  requests: { url: string; headers: Promise<Record<string, string>> }[]
  /** What the console said, and errors that nobody caught. */
  console: string[]
}

type Open = (url: string, options?: BrowserContextOptions) => Promise<Tab>

/** Opens pages in one Chromium for the tests of the file, each with a profile of its own. */
export function useBrowser(): Open {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch(CHROMIUM)
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map(context => context.close()))
  })
  afterAll(() => browser?.close())

  return async (url, options) => {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options })
    const tab = watch(await context.newPage())
    await tab.page.goto(url)
    return tab
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
