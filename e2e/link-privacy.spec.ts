import { beforeAll, describe, expect, it } from 'vitest'
import { type Tab, trackTab, useBrowser, withBlockedStorage } from './support/browser.ts'
import { useFolders } from './support/folders.ts'
import { useLectern } from './support/lectern.ts'
import { createLinks, tokenOf } from './support/links.ts'
import { useSite } from './support/site.ts'

const elsewhere = useSite()
elsewhere.html = 'Somebody else'
const makeFolder = useFolders()
const lectern = useLectern(() => ({ SVC_SERVER_LOG_LEVEL: 'trace' }))
const open = useBrowser()
let links: Awaited<ReturnType<typeof createLinks>>
beforeAll(async () => {
  links = await createLinks(lectern.client(await lectern.addAccount()))
})

/** Waits until the page has requested nothing more for a while. */
async function quiet({ page, requests }: Tab): Promise<void> {
  for (let before = -1; before !== requests.length; ) {
    before = requests.length
    await page.waitForTimeout(1_000)
  }
}

describe('a page with a secret in its address', () => {
  it('sends requests to its own origin only, without cookies or referrer, and raises no error', async () => {
    const tab = await open(links.teacher)
    await tab.page.getByText('Anna Petrova').waitFor()
    // A request that a reload aborts never has all its headers.
    await quiet(tab)
    await tab.page.reload()
    await tab.page.getByText('Anna Petrova').waitFor()
    await quiet(tab)

    expect(tab.requests.length).toBeGreaterThan(3)
    for (const { url, headers } of tab.requests) {
      expect(new URL(url).origin).toBe(lectern.url)
      const { referer = '', cookie = '' } = await headers
      expect({ url, referer, cookie }).toEqual({ url, referer: '', cookie: '' })
    }
    expect(tab.console).toEqual([])
    expect(await tab.context.cookies()).toEqual([])
  })

  it('stores the token in the URL and the session storage of the tab only', async () => {
    const tab = await open(links.teacher)
    const { page, context } = tab
    await page.getByText('Anna Petrova').waitFor()
    const token = tokenOf(links.teacher)

    expect(page.url()).toBe(`${lectern.url}/j/${token}`)
    const stored = await page.evaluate(storedInPage)
    expect(stored.session).toEqual([token])
    expect(stored.elsewhere).not.toContain(token)
    expect(stored.databases).toEqual([])
    expect(stored.caches).toEqual([])
    expect(stored.workers).toBe(0)
    // Sent to the page itself and the resolver only.
    const carriers = tab.requests.map(({ url }) => url).filter(url => url.includes(token))
    expect(new Set(carriers)).toEqual(
      new Set([links.teacher, `${lectern.url}/api/v1/integration/join/${token}`]),
    )
    expect(tab.console.join()).not.toContain(token)

    const other = trackTab(await context.newPage())
    await other.page.goto(links.plain)
    await other.page.getByRole('heading', { name: 'Algebra' }).waitFor()
    expect(await other.page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  it('discards the token of a signed link when the tab opens the plain link', async () => {
    const { page } = await open(links.teacher)
    await page.getByText('Anna Petrova').waitFor()
    await page.goto(links.plain)
    await page.getByRole('heading', { name: 'Algebra' }).waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  it('sends no referrer to the next page', async () => {
    const { page } = await open(links.teacher)
    await page.getByText('Anna Petrova').waitFor()
    await page.evaluate(url => {
      window.location.href = url
    }, elsewhere.origin)
    await page.getByText('Somebody else').waitFor()
    expect(await page.evaluate(() => document.referrer)).toBe('')
  })

  it('leaves no token in the server log', async () => {
    const { page } = await open(links.teacher)
    await page.getByText('Anna Petrova').waitFor()
    expect(lectern.log).toContain('/j/')
    for (const link of Object.values(links)) {
      if (link.includes('/j/')) expect(lectern.log).not.toContain(tokenOf(link))
    }
  })

  it('opens its link where the browser blocks all storage', async () => {
    await withBlockedStorage(makeFolder(), async ({ page, console }) => {
      await page.goto(links.teacher)
      await page.getByText('Anna Petrova').waitFor()
      expect(await page.evaluate(storageError)).toBe('SecurityError')
      await page.reload()
      await page.getByText('Anna Petrova').waitFor()
      expect(console).toEqual([])
    })
  })
})

/** Runs in the page. */
async function storedInPage() {
  const elsewhere = {
    local: { ...localStorage },
    cookie: document.cookie,
    name: window.name,
    history: history.state,
    document: document.documentElement.outerHTML,
  }
  return {
    session: Object.values({ ...sessionStorage }),
    elsewhere: JSON.stringify(elsewhere),
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }
}

/** Runs in the page: makes session storage unavailable. */
function storageError(): string | null {
  try {
    sessionStorage.getItem('anything')
    return null
  } catch (error) {
    return (error as Error).name
  }
}
