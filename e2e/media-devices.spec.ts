import { setTimeout as sleep } from 'node:timers/promises'
import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { ASKING_FAKE_DEVICES, FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { arrives, joinMeasured, stops } from './support/media.ts'
import { makeHostedRoom } from './support/rooms.ts'
import { pullDevicesOut, sendToSleep, setFrozen, setPermission } from './support/system.ts'
import { waitFor } from './support/wait.ts'

/** Longer than a silent connection is waited for. */
const ASLEEP_MS = 25_000

const lectern = useLectern(() => ({ ...PLAIN_LINK_OPEN, SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser(FAKE_DEVICES, { isWhole: true })
const openAlone = useBrowser(FAKE_DEVICES, { isWhole: true })
const openAsking = useBrowser(ASKING_FAKE_DEVICES, { isWhole: true })
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})

const makeRoom = () => makeHostedRoom(partner, `devices-${++rooms}`, open)
const ANNA = 'Anna Petrova'
const MIA = 'Mia Andersson'

describe('what somebody sends', () => {
  it('is back by itself when camera and microphone were pulled out', async () => {
    const { links } = await makeRoom()
    const anna = await joinMeasured(open, links.teacher, { isSilent: true })
    const mia = await joinMeasured(openAlone, links.student)
    await anna.sees(MIA)
    const pulled = Date.now()
    await pullDevicesOut(mia.page)
    await anna.page.waitForTimeout(500)
    await arrives(anna, MIA)
    console.log(`Devices pulled out and in: the picture is back after ${Date.now() - pulled} ms`)
    await anna.hears()
    console.log(`Devices pulled out and in: the sound is back after ${Date.now() - pulled} ms`)
    expect(await mia.isPressed('Camera')).toBe(true)
    expect(await mia.isPressed('Microphone')).toBe(true)
  })

  it('is what the page shows when the camera is forbidden in mid-call, and back when it is allowed', async () => {
    const { links } = await makeRoom()
    const anna = await joinMeasured(open, links.teacher, { isSilent: true })
    const permissions = ['camera', 'microphone']
    const mia = await joinMeasured(openAsking, links.student, { permissions })
    await anna.sees(MIA)
    await setPermission(mia.page, 'camera', false)
    await waitFor(async () => (await anna.video(MIA).count()) === 0, 'there is no picture of Mia')
    expect(await mia.isPressed('Camera')).toBe(false)
    await mia.button('Camera').click()
    await mia.page.getByText('Access is blocked in your browser').waitFor()
    await mia.page.keyboard.press('Escape')
    await anna.hears()
    expect(await mia.isPressed('Microphone')).toBe(true)
    await setPermission(mia.page, 'camera', true)
    await anna.sees(MIA)
    expect(await mia.isPressed('Camera')).toBe(true)
  })

  it('is back by itself after a tab was frozen, and a machine asleep', async () => {
    const { links } = await makeRoom()
    const anna = await joinMeasured(open, links.teacher)
    const sam = await joinMeasured(open, links.plain, { name: 'Sam' })
    const mia = await joinMeasured(openAlone, links.student)
    await sam.page.keyboard.press('m')
    await Promise.all([anna.sees(MIA), anna.sees('Sam')])
    const [wake] = await Promise.all([sendToSleep(mia.page), setFrozen(sam.page, true)])
    await stops(anna, MIA)
    await sleep(ASLEEP_MS)
    wake()
    await setFrozen(sam.page, false)
    const woken = Date.now()
    const [atMia, atAnna] = await Promise.all([
      mia.sees(ANNA),
      anna.sees(MIA),
      sam.sees(ANNA),
      anna.sees('Sam'),
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
    await anna.hears()
  })
})
