import { readFileSync } from 'node:fs'
import type { Browser, CDPSession, Page } from 'playwright-core'

/** What the system, or the person at it, does to a browser and its pages. */

/** Ends the processes that capture picture and sound: to a page that is as if the devices were pulled out. */
export async function pullDevicesOut(page: Page): Promise<void> {
  const capture = /--utility-sub-type=(video_capture|audio)\.mojom/
  const pids = (await processesOf(page)).filter(pid =>
    capture.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
  )
  if (pids.length !== 2) throw new Error(`There are ${pids.length} processes that capture, not 2.`)
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}

/** Sends the whole browser to sleep. Gives what wakes it. */
export async function sendToSleep(page: Page): Promise<() => void> {
  const pids = await processesOf(page)
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, name)
  }
  signal('SIGSTOP')
  return () => signal('SIGCONT')
}

/** As browsers do to tabs in the background, to save power. */
export async function setFrozen(page: Page, frozen: boolean): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: frozen ? 'frozen' : 'active' })
}

/** As in the browser's own settings of the site. */
export async function setPermission(
  page: Page,
  name: 'camera' | 'microphone',
  allowed: boolean,
): Promise<void> {
  const { targetInfo } = await (await page.context().newCDPSession(page)).send('Target.getTargetInfo')
  await (await talkTo(page)).send('Browser.setPermission', {
    permission: { name },
    setting: allowed ? 'granted' : 'denied',
    origin: new URL(page.url()).origin,
    ...(targetInfo.browserContextId && { browserContextId: targetInfo.browserContextId }),
  })
}

async function processesOf(page: Page): Promise<number[]> {
  const { processInfo } = await (await talkTo(page)).send('SystemInfo.getProcessInfo')
  return processInfo.map(({ id }) => id)
}

const talkTo = (page: Page): Promise<CDPSession> =>
  (page.context().browser() as Browser).newBrowserCDPSession()
