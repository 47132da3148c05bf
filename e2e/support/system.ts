import { readFileSync } from 'node:fs'
import type { Browser, CDPSession, Page } from 'playwright-core'

/** Actions of the operating system or the user on a browser and its pages. */

/** Kills the capture processes, which has the effect of unplugged devices. */
export async function unplugDevices(page: Page): Promise<void> {
  const capture = /--utility-sub-type=(video_capture|audio)\.mojom/
  const pids = (await processesOf(page)).filter(pid =>
    capture.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
  )
  if (pids.length !== 2) throw new Error(`Expected 2 capture processes, found ${pids.length}.`)
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}

/** Suspends the browser. Returns a function that resumes it. */
export async function suspendBrowser(page: Page): Promise<() => void> {
  const pids = await processesOf(page)
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, name)
  }
  signal('SIGSTOP')
  return () => signal('SIGCONT')
}

/** Freezes or unfreezes a page, as browsers do with background tabs. */
export async function setFrozen(page: Page, frozen: boolean): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: frozen ? 'frozen' : 'active' })
}

/** Changes a permission in the browser's site settings. */
export async function setPermission(
  page: Page,
  name: 'camera' | 'microphone',
  allowed: boolean,
): Promise<void> {
  const { targetInfo } = await (await page.context().newCDPSession(page)).send('Target.getTargetInfo')
  await (await browserSession(page)).send('Browser.setPermission', {
    permission: { name },
    setting: allowed ? 'granted' : 'denied',
    origin: new URL(page.url()).origin,
    ...(targetInfo.browserContextId && { browserContextId: targetInfo.browserContextId }),
  })
}

async function processesOf(page: Page): Promise<number[]> {
  const { processInfo } = await (await browserSession(page)).send('SystemInfo.getProcessInfo')
  return processInfo.map(({ id }) => id)
}

const browserSession = (page: Page): Promise<CDPSession> =>
  (page.context().browser() as Browser).newBrowserCDPSession()
