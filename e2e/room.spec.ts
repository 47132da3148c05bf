import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { inMenuOf } from './support/panels.ts'
import { createHostedRoom } from './support/rooms.ts'
import { endForEveryone, type Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

// One lesson from its first participant to its end.

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
let lesson: Awaited<ReturnType<typeof createHostedRoom>>
beforeAll(async () => {
  lesson = await createHostedRoom(lectern.client(await lectern.addAccount()), 'lesson', open)
})

/** Where the pointer is on the frame of the video, as shares of its width and height; null: there is none. */
const pointerOn = ({ page }: Visitor, label: string) =>
  page.evaluate(name => {
    const video = document.querySelector<HTMLVideoElement>(`video[aria-label="${name}"]`)
    const mark = video?.parentElement?.querySelector('[data-pointer]')?.getBoundingClientRect()
    if (!video || !mark) return null
    const box = video.getBoundingClientRect()
    const scale = Math.min(box.width / video.videoWidth, box.height / video.videoHeight)
    const [width, height] = [video.videoWidth * scale, video.videoHeight * scale]
    const x = (mark.x + mark.width / 2 - box.x - (box.width - width) / 2) / width
    const y = (mark.y + mark.height / 2 - box.y - (box.height - height) / 2) / height
    return [x, y].map(each => Math.round(each * 10) / 10)
  }, label)

describe('two people in a lesson', () => {
  let teacher: Visitor
  let student: Visitor
  afterAll(() => Promise.all([teacher, student].map(each => each?.page.context().close())))

  it('see and hear each other', async () => {
    teacher = await lesson.teacher()
    await teacher.page.getByText('You are the only one here').waitFor()
    student = await lesson.student()
    const [seen] = await Promise.all([
      student.waitForVideo('Anna Petrova'),
      teacher.waitForVideo('Mia Andersson'),
    ])
    console.log(`From the click on Join to the first remote frame: ${seen - student.joinedAt} ms`)
    await Promise.all([teacher.waitForSound(), student.waitForSound()])
    expect(await teacher.page.getByText('You are the only one here').count()).toBe(0)
    expect([...teacher.console, ...student.console]).toEqual([])
  })

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

  it('see a shared screen large, each other beside it, and where its owner points', async () => {
    await teacher.button('Share screen').click()
    await student.waitForVideo('Anna Petrova’s screen')
    await expect.poll(() => teacher.isPressed('Share screen')).toBe(true)
    const share = (kind: 'person' | 'screen') => student.stageShare(student.tiles('Anna', kind))
    await waitFor(async () => (await share('screen')) > 0.6, 'the screen is large')
    await waitFor(async () => (await share('person')) < 0.1, 'the person is small')
    const pixels = (label: string) =>
      student.video(label).evaluate((video: HTMLVideoElement) => video.videoWidth)
    await waitFor(async () => (await pixels('Anna Petrova')) <= 320, 'no more is sent than is shown')

    await teacher.page.getByRole('button', { name: 'Laser pointer' }).click()
    const board = teacher.page.getByRole('application', { name: 'Your shared screen, to point at' })
    await board.press('ArrowDown')
    await expect.poll(() => pointerOn(student, 'Anna Petrova’s screen')).toEqual([0.5, 0.5])
    for (let steps = 0; steps < 3; steps++) await board.press('Shift+ArrowRight')
    await expect.poll(() => pointerOn(student, 'Anna Petrova’s screen')).toEqual([0.8, 0.5])

    await teacher.button('Share screen').click()
    await waitFor(async () => (await student.tiles('Anna', 'screen').count()) === 0, 'the screen is gone')
    await waitFor(async () => (await share('person')) > 0.3, 'both are equal again')
  })

  it('read statistics of their connection, and see the others in a small window', async () => {
    const { page } = student
    const dialog = page.getByRole('dialog')
    await student.more('Connection statistics')
    await expect
      .poll(() => dialog.locator('[data-stream=camera]').first().textContent())
      .toMatch(/Camera: .*kbit\/s.* · \u2066\d+×\d+\u2069 · .*VP[89]/)
    await dialog
      .getByText(/UDP · round\strip/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')

    const [pip] = await Promise.all([page.context().waitForEvent('page'), student.more('Picture-in-picture')])
    const isPlaying = () =>
      pip.locator('video').evaluate((video: HTMLVideoElement) => video.videoWidth > 0 && !video.paused)
    await waitFor(isPlaying, 'the small window shows a video')
    await student.more('Close picture-in-picture')
    await waitFor(() => pip.isClosed(), 'the small window is closed')
  })

  it('see who muted them', async () => {
    await teacher.button(/^Participants/).click()
    await inMenuOf(teacher.page, /Mia/, 'Mute')
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

  it('are inside again when the browser shows the page that it has kept while another one was there', async () => {
    const isLoaded = student.page.waitForEvent('load')
    await student.page.evaluate(() => {
      for (const type of ['pagehide', 'pageshow'])
        window.dispatchEvent(new PageTransitionEvent(type, { persisted: true }))
    })
    await isLoaded
    await teacher.waitForVideo('Mia Andersson')
    await student.button('Leave').waitFor()
  })

  it('release their devices when they leave, and open the same ones again on the way back, without the prejoin screen', async () => {
    const track = await student
      .video('Mia Andersson (you)')
      .evaluateHandle((video: HTMLVideoElement) => (video.srcObject as MediaStream).getVideoTracks()[0])
    await student.button('Leave').click()
    await student.page.getByRole('heading', { name: 'You left the lesson' }).waitFor()
    expect(await track.evaluate(each => each?.readyState)).toBe('ended')
    await teacher.page.getByText('Mia Andersson left').last().waitFor() // another one may tell of the reload
    await student.page.getByRole('button', { name: 'Rejoin' }).click()
    await student.button('Leave').waitFor()
    await expect.poll(() => student.isPressed('Camera')).toBe(true)
    expect(await student.isPressed('Microphone'), 'as it was before').toBe(false)
  })

  it('are in a lesson that the teacher can end, and the student cannot', async () => {
    expect(await student.exitOptions.count()).toBe(0)
    await endForEveryone(teacher.page)
    await teacher.page.getByRole('heading', { name: 'Lesson finished' }).waitFor()
    await student.page.getByRole('heading', { name: / ended the lesson$/ }).waitFor()
  })
})
