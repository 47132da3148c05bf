import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { useFirefox } from '../../support/firefox.ts'
import { useFolders } from '../../support/folders.ts'
import { useLectern } from '../../support/lectern.ts'
import { field, messageWith, openChat } from '../../support/panels.ts'
import { loudness, probe, saturation } from '../../support/recorded-video.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { screenshotsOf } from '../../support/screenshots.ts'
import { permitSlowFrames } from '../../support/slow-frames.ts'
import { openSettings, Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'
import { useWebhookReceiver } from '../../support/webhook-receiver.ts'

const receiver = useWebhookReceiver()
const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_RECORDER_EMBEDDED: '1',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '2',
  SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
}))
const makeFolder = useFolders()
const shoot = screenshotsOf('firefox')
const open = useFirefox()
const openChromium = useBrowser(FAKE_DEVICES)
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount('school', ['integration:rooms', 'blob']))
  await partner.setWebhook(receiver.webhook())
})
const makeRoom = () => createHostedRoom(partner, `firefox-${++rooms}`, open)

const ANNA = 'Anna Petrova'
const MIA = 'Mia Andersson'

describe('two people with Firefox', () => {
  it('see and hear each other, mute themselves, share the screen, chat, and rejoin after a reload', async () => {
    const room = await makeRoom()
    const teacher = await room.teacher()
    const student = await room.student()
    await Promise.all([student.waitForVideo(ANNA), teacher.waitForVideo(MIA)])
    await Promise.all([teacher.waitForSound(), student.waitForSound()])

    await student.page.keyboard.press('m')
    await waitFor(() => teacher.isMuted(MIA), 'the teacher sees the muted microphone')
    expect(await teacher.isSilent()).toBe(true)
    await student.page.keyboard.press('v')
    await waitFor(async () => (await teacher.video(MIA).count()) === 0, 'the video is gone')
    await student.page.keyboard.press('v')
    await teacher.waitForVideo(MIA)

    await teacher.button('Share screen').click()
    await student.waitForVideo(`${ANNA}’s screen`)
    await teacher.button('Share screen').click()
    await waitFor(async () => (await student.tiles('Anna', 'screen').count()) === 0, 'the screen is gone')

    await openChat(teacher.page)
    // Types keys, because fill() triggers no listeners in Firefox.
    await field(teacher.page).pressSequentially('Guten Morgen')
    await teacher.page.keyboard.press('Enter')
    await openChat(student.page)
    await messageWith(student.page, 'Guten Morgen').waitFor()

    await student.page.reload()
    await Promise.all([teacher.waitForVideo(MIA), student.waitForVideo(ANNA)])
    await student.waitForSound()
    expect(await student.isPressed('Microphone')).toBe(false)
    expect(await teacher.page.locator('[data-tile]').count()).toBe(2)
    expect([...teacher.console, ...student.console]).toEqual([])
    await shoot(student.page, 'room')
  })
})

describe('a background in Firefox', () => {
  it('replaces the camera’s picture in the video of the others', async () => {
    const { links } = await makeRoom()
    const teacher = await Visitor.join(await open(links.teacher))
    const tab = await open('about:blank')
    await tab.context.addInitScript(permitSlowFrames)
    await tab.page.goto(links.student)
    const student = await Visitor.join(tab)
    await teacher.waitForVideo(MIA)
    const isColourful = () => hasBrightColours(teacher, MIA)
    await waitFor(isColourful, 'the camera is shown')
    await student.button('Video settings').click()
    await student.page.getByRole('radio', { name: 'Plants', exact: true }).check({ force: true })
    await waitFor(async () => !(await isColourful()), 'the picture is shown', 60_000)
    expect(student.console).toEqual([])
  })
})

describe('Firefox and Chromium', () => {
  it('see and hear each other, and the recording contains the teacher in Firefox', async () => {
    const { links } = await makeRoom()
    const { tag } = await partner.getRoom(`firefox-${rooms}`)
    const teacher = await Visitor.join(await open(links.teacher))
    await teacher.page.getByText('REC', { exact: true }).waitFor()
    const student = await Visitor.join(await openChromium(links.student), { withoutDevices: true })
    await Promise.all([student.waitForVideo(ANNA), teacher.waitForVideo(MIA)])
    await Promise.all([teacher.waitForSound(), student.waitForSound()])
    expect([...teacher.console, ...student.console]).toEqual([])

    await student.button('Leave').click()
    await sleep(5_000) // only the teacher is visible and audible
    const aloneUntilMs = Date.now()
    await teacher.page.close()
    const { event } = await receiver.next(tag)
    if (event.type !== 'recording.ready') throw new Error(`expected recording.ready, got ${event.type}`)
    const { files, started_at_ms } = event.data.recording
    const file = files.find(({ path }) => path === 'recording.mkv')
    const recordingFile = join(makeFolder(), 'recording.mkv')
    const response = await partner.downloadBlob(String(file?.url))
    writeFileSync(recordingFile, Buffer.from(await response.arrayBuffer()))
    const { codecs, seconds } = await probe(recordingFile)
    expect(codecs.sort()).toEqual(['h264', 'opus'])
    const alone = (aloneUntilMs - started_at_ms) / 1000 - 3
    expect(seconds).toBeGreaterThan(alone + 2)
    expect(await loudness(recordingFile, alone, alone + 2)).toBeGreaterThan(-45)
    expect(await saturation(recordingFile, alone)).toBeGreaterThan(30)
  })
})

describe('the prejoin screen in Firefox', () => {
  it('shows camera and microphone, tests the connection, and remembers the speaker', async () => {
    const { links } = await makeRoom()
    const { page, console } = await open(links.teacher)
    await page.getByText('Your microphone works').waitFor()
    await openSettings(page)
    const speaker = page.getByRole('combobox', { name: 'Speaker' })
    const chosen = await speaker.locator('option', { hasText: 'Headphones' }).getAttribute('value')
    await speaker.selectOption(chosen)
    await page.getByRole('button', { name: 'Play test sound' }).click()
    await page.getByRole('button', { name: 'Playing…' }).waitFor()
    await page.getByRole('button', { name: 'Play test sound' }).waitFor()
    await page.getByRole('button', { name: 'Check connection' }).click()
    await page.getByText('Your connection is good').waitFor()
    await page.reload()
    await page.getByText('Your microphone works').waitFor()
    await openSettings(page)
    await expect.poll(() => speaker.inputValue()).toBe(chosen)
    expect(console).toEqual([])
    await shoot(page, 'prejoin')
  })

  it('reports missing WebRTC support', async () => {
    const { links } = await makeRoom()
    const { page, context } = await open('about:blank')
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'RTCPeerConnection'))
    await page.goto(links.student)
    await page.getByText('This browser is not supported').waitFor()
    await page.getByRole('button', { name: 'Copy link to open elsewhere' }).waitFor()
  })
})

/** Whether the received video had a bright colour within a second: the fake camera changes its own, and the picture is pale. */
const hasBrightColours = (visitor: Visitor, name: string): Promise<boolean> =>
  visitor.video(name).evaluate(async element => {
    const drawing = new OffscreenCanvas(1, 1).getContext('2d')
    if (!drawing || !(element instanceof HTMLVideoElement)) throw new Error('no video')
    for (let sample = 0; sample < 5; sample++) {
      drawing.drawImage(element, 0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = drawing.getImageData(0, 0, 1, 1).data
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 90) return true
      await new Promise(resolve => setTimeout(resolve, 200))
    }
    return false
  })
