import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, FAKE_DEVICES_WITH_PROMPT, type Tab, useBrowser } from '../../support/browser.ts'
import { useFolders } from '../../support/folders.ts'
import { PLAIN_LINK_OPEN, useLectern } from '../../support/lectern.ts'
import { joinInstrumented, waitForVideo, waitForVideoEnd } from '../../support/media.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { permitSlowFrames } from '../../support/slow-frames.ts'
import { writeNoise } from '../../support/synthetic-voice.ts'
import { setFrozen, setPermission, suspendBrowser, unplugDevices } from '../../support/system.ts'
import type { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

/** Longer than the timeout of a silent connection. */
const ASLEEP_MS = 25_000
/** The microphone is opened again, and its gain is adjusted. */
const PROCESSED_WITHIN_MS = 60_000

const lectern = useLectern(() => ({ ...PLAIN_LINK_OPEN, SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser(FAKE_DEVICES, { isFullBrowser: true })
const openAlone = useBrowser(FAKE_DEVICES, { isFullBrowser: true })
const openAsking = useBrowser(FAKE_DEVICES_WITH_PROMPT, { isFullBrowser: true })
const noise = writeNoise(join(useFolders()(), 'noise.wav'))
const openNoisy = useBrowser([...FAKE_DEVICES, `--use-file-for-fake-audio-capture=${noise}`])
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

describe('a noisy microphone', () => {
  it('is quiet with strong suppression, which this server serves, and unprocessed in music mode', async () => {
    const { links } = await makeRoom()
    const tabs: Tab[] = []
    const anna = await joinInstrumented(open, links.teacher)
    const mia = await joinInstrumented(
      async (...wanted) => {
        const tab = await openNoisy(...wanted)
        tabs.push(tab)
        return tab
      },
      links.student,
      { isSilent: true },
    )
    const choose = (name: string) => mia.page.getByRole('radio', { name }).check({ force: true })
    await mia.button('Audio settings').click()
    await choose('Off')
    const expectNoise = (is: string) =>
      waitFor(async () => (await anna.loudness()) > 0.1, `the noise is ${is}`, PROCESSED_WITHIN_MS)
    const expectQuiet = (is: string) =>
      waitFor(async () => (await anna.loudness()) < 0.05, `the noise is ${is}`, PROCESSED_WITHIN_MS)
    await expectNoise('received')
    await choose('Strong')
    await expectQuiet('suppressed')
    const music = mia.page.getByRole('checkbox', { name: 'Music mode' })
    await music.check()
    await expectNoise('received in music mode')
    const parameters = await opusParametersOf(mia)
    expect(parameters).toContain('stereo=1')
    expect(parameters).toContain('maxaveragebitrate=160000')
    await music.uncheck()
    await expectQuiet('suppressed again')

    expect(mia.console.filter(line => /Content Security Policy|Error/i.test(line))).toEqual([])
    const origins = tabs.flatMap(({ requests }) => requests.map(({ url }) => new URL(url).origin))
    expect([...new Set(origins)].filter(origin => origin !== 'null')).toEqual([lectern.url])
  })
})

describe('a background', () => {
  it('replaces the room in the video of the others, by files of this server only', async () => {
    const { links } = await makeRoom()
    const tabs: Tab[] = []
    const anna = await joinInstrumented(open, links.teacher)
    const mia = await joinInstrumented(async (...wanted) => {
      const tab = await openAlone(...wanted)
      tabs.push(tab)
      await tab.page.addInitScript(permitSlowFrames)
      return tab
    }, links.student)
    await anna.waitForVideo(MIA)
    const redness = () => rednessOf(anna, MIA)
    await waitFor(async () => (await redness()) < 100, 'the room is shown')
    await mia.button('Video settings').click()
    const choose = (name: string) => mia.page.getByRole('radio', { name, exact: true }).check({ force: true })
    await choose('Plants')
    await waitFor(async () => (await redness()) > 150, 'the picture is shown', PROCESSED_WITHIN_MS)
    await choose('None')
    await waitFor(async () => (await redness()) < 100, 'the room is shown again')
    expect(mia.console.filter(line => /Content Security Policy|Error/i.test(line))).toEqual([])
    const origins = tabs.flatMap(({ requests }) => requests.map(({ url }) => new URL(url).origin))
    expect([...new Set(origins)].filter(origin => origin !== 'null')).toEqual([lectern.url])
  })
})

/** The mean of the red of a received video: the fake camera is green, the picture is bright. */
const rednessOf = (visitor: Visitor, name: string): Promise<number> =>
  visitor.video(name).evaluate(element => {
    const drawing = new OffscreenCanvas(1, 1).getContext('2d')
    if (!drawing || !(element instanceof HTMLVideoElement)) throw new Error('no video')
    drawing.imageSmoothingQuality = 'high'
    drawing.drawImage(element, 0, 0, 1, 1)
    return drawing.getImageData(0, 0, 1, 1).data[0] ?? 0
  })

/** Of the microphone that the visitor sends. */
const opusParametersOf = ({ page }: Visitor): Promise<string> =>
  page.evaluate(async () => {
    const { connections } = globalThis as typeof globalThis & { connections: RTCPeerConnection[] }
    for (const connection of connections)
      for (const transceiver of connection.getTransceivers()) {
        const { track, getParameters } = transceiver.sender
        if (track?.kind === 'audio' && transceiver.currentDirection === 'sendonly')
          return getParameters.call(transceiver.sender).codecs[0]?.sdpFmtpLine ?? ''
      }
    return ''
  })
