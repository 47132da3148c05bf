import { expect, it } from 'vitest'
import { FAKE_DEVICES, type Tab, useBrowser, withBlockedStorage } from '../../support/browser.ts'
import { useFolders } from '../../support/folders.ts'
import { useLectern } from '../../support/lectern.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { useSite } from '../../support/site.ts'
import { waitFor } from '../../support/wait.ts'

const site = useSite()
/** The same server under another host name, which is another site for browsers. */
const portal = () => site.origin.replace('127.0.0.1', 'localhost')
const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_INTEGRATION_FRAME_ANCESTORS: portal(),
}))
const open = useBrowser(FAKE_DEVICES)
const makeFolder = useFolders()

const ANNA = 'Anna Petrova'

it('the room in an iframe of another site works where Chromium blocks storage, with video in both directions', async () => {
  const lesson = await createHostedRoom(lectern.client(await lectern.addAccount()), 'blocked', open)
  const anna = await lesson.teacher()
  const allow = 'camera; microphone; autoplay; fullscreen; display-capture'
  site.html = `<!doctype html><title>Portal</title><iframe src="${lesson.links.student}" allow="${allow}" width="1000" height="700"></iframe>`
  const visit = async ({ page, console }: Tab) => {
    await page.goto(portal())
    const frame = page.frameLocator('iframe')
    await frame.getByText('Your microphone works').waitFor()
    const real = page.frames().find(each => each.parentFrame() !== null)
    expect(await real?.evaluate(storageError)).toBe('SecurityError')
    await frame.getByRole('button', { name: 'Join' }).click()
    await frame.getByRole('region', { name: 'Controls' }).waitFor()
    const frames = () =>
      frame
        .locator(`video[aria-label="${ANNA}"]`)
        .evaluateAll(videos =>
          (videos as HTMLVideoElement[]).map(each => each.getVideoPlaybackQuality().totalVideoFrames),
        )
    await waitFor(async () => Math.max(...(await frames())) > 10, 'Anna moves in the frame')
    await anna.waitForVideo('Mia Andersson')
    await anna.waitForSound()
    expect(console).toEqual([])
  }
  await withBlockedStorage(makeFolder(), visit, FAKE_DEVICES)
})

/** Runs in the page: makes storage unavailable. */
function storageError(): string | null {
  try {
    localStorage.getItem('anything')
    return null
  } catch (error) {
    return (error as Error).name
  }
}
