import { type Browser, chromium } from 'playwright-core'

const QUIET = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
const FAKE = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required', // a sound that a page makes is its microphone
]

export interface OpenBrowser {
  browser: Browser
  pid: number
  close(): Promise<void>
}

/** A Chromium with a camera and a microphone that are none; with a display it fills the screen there. */
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
  name: string
  /** Sends nothing. */
  onlyWatches?: boolean
  /** Runs in the page before its own. */
  script?: () => void
}

/** Goes in by a link, as a person does. The function that it gives leaves again. */
export async function enter({ browser }: OpenBrowser, link: string, { name, onlyWatches, script }: Ways) {
  const context = await browser.newContext({ viewport: null })
  const page = await context.newPage()
  if (script) await page.addInitScript(script)
  await page.goto(link)
  const join = page.getByRole('button', { name: 'Join' })
  await join.waitFor()
  await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  if (onlyWatches)
    for (const device of ['microphone', 'camera'])
      await page.getByRole('button', { name: `Turn the ${device} off` }).click()
  await join.click()
  await page.getByRole('region', { name: 'Controls' }).waitFor()
  return () => context.close()
}
