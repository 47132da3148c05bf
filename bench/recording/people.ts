import { type Browser, chromium } from 'playwright-core'

const QUIET = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
const FAKE = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required', // the microphone is a sound that the page generates
]

export interface OpenBrowser {
  browser: Browser
  pid: number
  close(): Promise<void>
}

/** A Chromium with fake devices, full screen if a display is given. */
export async function openBrowser(display?: string): Promise<OpenBrowser> {
  const server = await chromium.launchServer({
    executablePath: '/usr/bin/chromium',
    headless: display === undefined,
    args: [...QUIET, ...FAKE, ...(display ? ['--kiosk', '--window-size=1280,720'] : ['--headless=new'])],
    ...(display && { env: { ...process.env, DISPLAY: display } }),
  })
  const browser = await chromium.connect(server.wsEndpoint())
  return { browser, pid: server.process().pid as number, close: () => server.close() }
}

interface Ways {
  /** Absent: the link has one. */
  name?: string
  /** Publishes nothing. */
  onlyWatches?: boolean
  /** A script that runs before those of the page. */
  script?: () => void
}

/** Joins by a link. Returns a function that leaves. */
export async function enter({ browser }: OpenBrowser, link: string, { name, onlyWatches, script }: Ways) {
  const context = await browser.newContext({ viewport: null })
  const page = await context.newPage()
  if (script) await page.addInitScript(script)
  await page.goto(link)
  const join = page.getByRole('button', { name: 'Join' })
  await join.waitFor()
  if (name !== undefined) await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  if (onlyWatches)
    for (const device of ['microphone', 'camera'])
      await page.getByRole('button', { name: `Turn off ${device}` }).click()
  await join.click()
  await page.getByRole('region', { name: 'Controls' }).waitFor()
  return () => context.close()
}
