import { beforeAll, describe, expect, it } from 'vitest'
import { type Tab, trackTab, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { createLinks, tokenOf } from './support/links.ts'
import { useSite } from './support/site.ts'
import { waitFor } from './support/wait.ts'

const elsewhere = useSite()
elsewhere.html = 'Somebody else'
const lectern = useLectern(() => ({ SVC_SERVER_LOG_LEVEL: 'trace' }))
const open = useBrowser([], { keepsPagesOpen: true })
let links: Awaited<ReturnType<typeof createLinks>>
beforeAll(async () => {
  links = await createLinks(lectern.client(await lectern.addAccount()))
})

/** Waits for the code of the room, which the page loads last. */
async function loaded({ page, requests }: Tab, times: number): Promise<void> {
  const isRoomCode = ({ url, headers }: (typeof requests)[number]) =>
    headers && url.includes('/assets/room-module-')
  await waitFor(() => requests.filter(isRoomCode).length >= times, 'the code of the room is loaded')
  await page.waitForLoadState('networkidle')
}

describe('a page with a secret in its address', () => {
  let tab: Tab

  it('sends requests to its own origin only, without cookies or referrer, and raises no error', async () => {
    tab = await open(links.teacher)
    await tab.page.getByText('Anna Petrova').waitFor()
    await loaded(tab, 1)
    await tab.page.reload()
    await tab.page.getByText('Anna Petrova').waitFor()
    await loaded(tab, 2)

    expect(tab.requests.filter(({ headers }) => headers).length).toBeGreaterThan(3)
    for (const { url, headers = {} } of tab.requests) {
      expect(new URL(url).origin).toBe(lectern.url)
      const { referer = '', cookie = '' } = headers
      expect({ url, referer, cookie }).toEqual({ url, referer: '', cookie: '' })
    }
    expect(tab.console).toEqual([])
    expect(await tab.context.cookies()).toEqual([])
  })

  it('stores the token in the URL and the session storage of the tab only (LINK-2)', async () => {
    const { page, context } = tab
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

  it('sends no referrer to the next page', async () => {
    await tab.page.evaluate(url => {
      window.location.href = url
    }, elsewhere.origin)
    await tab.page.getByText('Somebody else').waitFor()
    expect(await tab.page.evaluate(() => document.referrer)).toBe('')
  })

  it('discards the token of a signed link when the tab opens the plain link', async () => {
    const { page } = tab
    await page.goto(links.teacher)
    await page.getByText('Anna Petrova').waitFor()
    await page.goto(links.plain)
    await page.getByRole('heading', { name: 'Algebra' }).waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  it('leaves no token in the server log', () => {
    expect(lectern.log).toContain('/j/')
    for (const link of Object.values(links)) {
      if (link.includes('/j/')) expect(lectern.log).not.toContain(tokenOf(link))
    }
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
