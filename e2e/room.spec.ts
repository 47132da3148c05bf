import type { PartnerClient } from '@lectern/partner'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { createHostedRoom } from './support/rooms.ts'
import type { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '2' }))
const open = useBrowser(FAKE_DEVICES)
const openToStay = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})
const makeRoom = (opened = open) => createHostedRoom(partner, `room-${++rooms}`, opened)

/** Waits until both have joined and receive video. */
async function makeLesson(opened = open) {
  const room = await makeRoom(opened)
  const teacher = await room.teacher()
  const student = await room.student()
  await Promise.all([teacher.waitForVideo('Mia Andersson'), student.waitForVideo('Anna Petrova')])
  return { teacher, student }
}

describe('two people in a lesson', () => {
  let teacher: Visitor
  let student: Visitor
  beforeAll(async () => {
    ;({ teacher, student } = await makeLesson(openToStay))
  })
  afterAll(() => Promise.all([teacher, student].map(({ page }) => page.context().close())))

  it('are muted exactly when their page shows it', async () => {
    await student.page.keyboard.press('m')
    await waitFor(() => teacher.isMuted('Mia'), 'the teacher sees the muted microphone')
    expect(await student.isPressed('Microphone')).toBe(false)
    expect(await student.isMuted('Mia Andersson (you)')).toBe(true)
    expect(await teacher.isSilent()).toBe(true)

    for (let presses = 0; presses < 7; presses++) await student.page.keyboard.press('m')
    await waitFor(async () => !(await teacher.isMuted('Mia')), 'the teacher sees that it is on')
    expect(await student.isPressed('Microphone')).toBe(true)
    await teacher.waitForSound()
  })

  it('turn the camera off and on', async () => {
    await student.page.keyboard.press('v')
    await waitFor(async () => (await teacher.video('Mia Andersson').count()) === 0, 'the video is gone')
    await expect.poll(() => student.isPressed('Camera')).toBe(false)
    await student.page.keyboard.press('v')
    await teacher.waitForVideo('Mia Andersson')
  })

  it('see a shared screen large, and each other beside it', async () => {
    await teacher.button('Share screen').click()
    await student.waitForVideo('Anna Petrova’s screen')
    await expect.poll(() => teacher.isPressed('Share screen')).toBe(true)
    const share = (of: 'person' | 'screen') => student.stageShare(student.tiles('Anna', of))
    await waitFor(async () => (await share('screen')) > 0.6, 'the screen is large')
    await waitFor(async () => (await share('person')) < 0.1, 'the person is small')
    const pixels = (label: string) =>
      student.video(label).evaluate((video: HTMLVideoElement) => video.videoWidth)
    await waitFor(async () => (await pixels('Anna Petrova')) <= 320, 'no more is sent than is shown')
    await teacher.button('Share screen').click()
    await waitFor(async () => (await student.tiles('Anna', 'screen').count()) === 0, 'the screen is gone')
    await waitFor(async () => (await share('person')) > 0.3, 'both are equal again')
  })

  it('see raised hands', async () => {
    await student.button('Raise hand').click()
    await teacher.tiles('Mia').getByRole('img', { name: 'Mia Andersson raised a hand' }).waitFor()
    await expect.poll(() => student.isPressed('Raise hand')).toBe(true)
    await student.button('Raise hand').click()
    await waitFor(async () => !(await student.isPressed('Raise hand')), 'the hand is lowered')
  })

  it('see who muted them', async () => {
    await teacher.button(/^Participants/).click()
    await teacher.page.getByRole('button', { name: /Turn.*microphone.*off.*Mia|Mute Mia/ }).click()
    await student.page.getByText('Anna Petrova muted you').waitFor()
    expect(await student.isPressed('Microphone')).toBe(false)
    expect(await teacher.isSilent()).toBe(true)
    await student.button('Microphone').click()
    await teacher.waitForSound()
  })

  it('leave no stale participant after a reload, which restores their state', async () => {
    await student.button('Microphone').click()
    await waitFor(async () => !(await student.isPressed('Microphone')), 'it is off')
    const tile = await teacher.tiles('Mia').elementHandle()
    const before = Date.now()
    await student.page.reload()
    await waitFor(() => tile?.evaluate(element => !element.isConnected), 'the tile is gone')
    console.log(`A page that is loaded again is gone at the other after ${Date.now() - before} ms`)
    await teacher.waitForVideo('Mia Andersson')
    console.log(`and seen again after ${Date.now() - before} ms`)
    expect(await student.isPressed('Microphone')).toBe(false)
    expect(await teacher.page.locator('[data-tile]').count()).toBe(2)
  })
})

describe('a room', () => {
  it('lets two people see and hear each other', async () => {
    const room = await makeRoom()
    const teacher = await room.teacher()
    await teacher.page.getByText('You are the only one here').waitFor()
    const student = await room.student()
    const [seen] = await Promise.all([
      student.waitForVideo('Anna Petrova'),
      teacher.waitForVideo('Mia Andersson'),
    ])
    console.log(`From the click on Join to the first remote frame: ${seen - student.joinedAt} ms`)
    await Promise.all([teacher.waitForSound(), student.waitForSound()])
    expect(await teacher.page.getByText('You are the only one here').count()).toBe(0)
    expect([...teacher.console, ...student.console]).toEqual([])
  })

  it('can be ended by the teacher, and not by the student', async () => {
    const { teacher, student } = await makeLesson()
    expect(await student.button('End for all').count()).toBe(0)
    await teacher.button('End for all').click()
    await teacher.page.getByRole('dialog').getByRole('button', { name: 'End for all' }).click()
    for (const { page } of [teacher, student])
      await page.getByRole('heading', { name: 'The meeting has ended' }).waitFor()
  })

  it('releases the devices of participants who leave', async () => {
    const { teacher, student } = await makeLesson()
    const track = await student
      .video('Mia Andersson (you)')
      .evaluateHandle((video: HTMLVideoElement) => (video.srcObject as MediaStream).getVideoTracks()[0])
    await student.button('Leave').click()
    await student.page.getByRole('heading', { name: 'You left the meeting' }).waitFor()
    expect(await track.evaluate(each => each?.readyState)).toBe('ended')
    await teacher.page.getByText('Mia Andersson left').waitFor()
    await student.page.getByRole('button', { name: 'Rejoin' }).click()
    await student.page.getByText('Your microphone works').waitFor()
  })
})
