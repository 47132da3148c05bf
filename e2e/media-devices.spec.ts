import { setTimeout as sleep } from 'node:timers/promises'
import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, FAKE_DEVICES_WITH_PROMPT, useBrowser } from './support/browser.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { joinInstrumented, waitForVideo, waitForVideoEnd } from './support/media.ts'
import { createHostedRoom } from './support/rooms.ts'
import { setFrozen, setPermission, suspendBrowser, unplugDevices } from './support/system.ts'
import { waitFor } from './support/wait.ts'

/** Longer than the timeout of a silent connection. */
const ASLEEP_MS = 25_000

const lectern = useLectern(() => ({ ...PLAIN_LINK_OPEN, SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser(FAKE_DEVICES, { isFullBrowser: true })
const openAlone = useBrowser(FAKE_DEVICES, { isFullBrowser: true })
const openAsking = useBrowser(FAKE_DEVICES_WITH_PROMPT, { isFullBrowser: true })
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})

const makeRoom = () => createHostedRoom(partner, `devices-${++rooms}`, open)
const ANNA = 'Anna Petrova'
const MIA = 'Mia Andersson'

describe('published media', () => {
  it('recovers automatically after camera and microphone were unplugged', async () => {
    const { links } = await makeRoom()
    const anna = await joinInstrumented(open, links.teacher, { isSilent: true })
    const mia = await joinInstrumented(openAlone, links.student)
    await anna.waitForVideo(MIA)
    const pulled = Date.now()
    await unplugDevices(mia.page)
    await anna.page.waitForTimeout(500)
    await waitForVideo(anna, MIA)
    console.log(`Devices unplugged and reconnected: video is back after ${Date.now() - pulled} ms`)
    await anna.waitForSound()
    console.log(`Devices pulled out and in: the sound is back after ${Date.now() - pulled} ms`)
    expect(await mia.isPressed('Camera')).toBe(true)
    expect(await mia.isPressed('Microphone')).toBe(true)
  })

  it('stops when the camera permission is revoked during a call, and resumes when it is granted', async () => {
    const { links } = await makeRoom()
    const anna = await joinInstrumented(open, links.teacher, { isSilent: true })
    const permissions = ['camera', 'microphone']
    const mia = await joinInstrumented(openAsking, links.student, { permissions })
    await anna.waitForVideo(MIA)
    await setPermission(mia.page, 'camera', false)
    await waitFor(async () => (await anna.video(MIA).count()) === 0, 'there is no video of Mia')
    expect(await mia.isPressed('Camera')).toBe(false)
    await mia.button('Camera').click()
    await mia.page.getByText('Access is blocked in your browser').waitFor()
    await mia.page.keyboard.press('Escape')
    await anna.waitForSound()
    expect(await mia.isPressed('Microphone')).toBe(true)
    await setPermission(mia.page, 'camera', true)
    await anna.waitForVideo(MIA)
    expect(await mia.isPressed('Camera')).toBe(true)
  })

  it('recovers automatically after a frozen tab and after a suspended machine', async () => {
    const { links } = await makeRoom()
    const anna = await joinInstrumented(open, links.teacher)
    const sam = await joinInstrumented(open, links.plain, { name: 'Sam' })
    const mia = await joinInstrumented(openAlone, links.student)
    await sam.page.keyboard.press('m')
    await Promise.all([anna.waitForVideo(MIA), anna.waitForVideo('Sam')])
    const [wake] = await Promise.all([suspendBrowser(mia.page), setFrozen(sam.page, true)])
    await waitForVideoEnd(anna, MIA)
    await sleep(ASLEEP_MS)
    wake()
    await setFrozen(sam.page, false)
    const woken = Date.now()
    const [atMia, atAnna] = await Promise.all([
      mia.waitForVideo(ANNA),
      anna.waitForVideo(MIA),
      sam.waitForVideo(ANNA),
      anna.waitForVideo('Sam'),
    ])
    console.log(`Asleep for 25 s: media is back after ${Math.max(atMia, atAnna) - woken} ms`)
    for (const { page } of [anna, mia, sam]) {
      await waitFor(async () => (await page.locator('[data-tile]').count()) === 3, 'there are three tiles')
      await page.getByText(/Connection lost/).waitFor({ state: 'detached' })
    }
    expect(await Promise.all([sam.isPressed('Microphone'), mia.isPressed('Microphone')])).toEqual([
      false,
      true,
    ])
    await waitFor(() => anna.isMuted('Sam'), 'Sam is shown as muted')
    await anna.waitForSound()
  })
})
