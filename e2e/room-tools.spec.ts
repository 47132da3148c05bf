import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { checkAppearance, PHONE } from './support/appearance.ts'
import { button, field, openChat, openPeople, sendMessage, useLessonPages } from './support/panels.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { waitFor } from './support/wait.ts'

const { begin, checkPanel } = useLessonPages('room-tools')
const shoot = screenshotsOf('room-tools')

const tile = (page: Page, is: 'person' | 'screen', name: string) =>
  page.locator(`[data-tile=${is}]`).filter({ hasText: name })
const control = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Controls' }).getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const openOptions = (page: Page) => control(page, 'Options').click()

/** Where the pointer is on the frame of the video, as shares of its width and height; null: there is none. */
const pointerOn = (page: Page, label: string) =>
  page.evaluate(name => {
    const video = document.querySelector<HTMLVideoElement>(`video[aria-label="${name}"]`)
    const mark = video?.parentElement?.querySelector('[data-pointer]')?.getBoundingClientRect()
    if (!video || !mark) return null
    const box = video.getBoundingClientRect()
    const scale = Math.min(box.width / video.videoWidth, box.height / video.videoHeight)
    const [width, height] = [video.videoWidth * scale, video.videoHeight * scale]
    const x = (mark.x + mark.width / 2 - box.x - (box.width - width) / 2) / width
    const y = (mark.y + mark.height / 2 - box.y - (box.height - height) / 2) / height
    return [x, y].map(each => Math.round(each * 100) / 100)
  }, label)

const hasFocus = (element: Locator) => element.evaluate(each => each === document.activeElement)

/** The browser reports a hidden tab to the page. */
const setVisible = (page: Page, isVisible: boolean) =>
  page.evaluate(
    state => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    isVisible ? 'visible' : 'hidden',
  )

/** On a phone in landscape orientation, a dialog scrolls, and the button that closes it stays. */
async function expectWayOutInView(page: Page): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 740, height: 360 })
  await dialog(page).evaluate(element => element.scrollTo(0, element.scrollHeight))
  expect(await dialog(page).evaluate(element => element.scrollTop)).toBeGreaterThan(0)
  const way = await dialog(page).getByRole('button', { name: 'Close' }).boundingBox()
  const frame = await dialog(page).boundingBox()
  expect(way?.y).toBeGreaterThanOrEqual(frame?.y ?? 0)
  if (size) await page.setViewportSize(size)
}

/** On the smallest phone, a panel and what is above the stage leave space for a face. */
async function expectStageBesidePanel(page: Page): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 568 })
  await openChat(page)
  const stage = page.getByRole('region', { name: 'Participant videos' })
  await expect.poll(async () => (await stage.boundingBox())?.height).toBeGreaterThanOrEqual(80)
  const bottom = await page.getByRole('region', { name: 'Controls' }).boundingBox()
  expect((bottom?.y ?? 568) + (bottom?.height ?? 0)).toBeLessThanOrEqual(568)
  await button(page, 'Close chat').click()
  if (size) await page.setViewportSize(size)
}

describe('a presenter', () => {
  it('points at the own shared screen, and everybody sees the same position, whatever the shape of their tile', async () => {
    const { teacher, student } = await begin()
    await student.setViewportSize({ width: 420, height: 800 })
    await control(teacher, 'Share screen').click()
    const screen = student.locator('video[aria-label="Anna Petrova’s screen"]')
    await waitFor(
      () => screen.evaluate((video: HTMLVideoElement) => video.videoWidth > 0).catch(() => false),
      'the screen is received',
    )
    expect(await pointerOn(student, 'Anna Petrova’s screen')).toBeNull()

    await button(teacher, 'Laser pointer').press('Enter')
    const board = teacher.getByRole('application', { name: 'Your shared screen, to point at' })
    await expect.poll(() => hasFocus(board)).toBe(true)
    await teacher.keyboard.press('ArrowDown')
    await expect.poll(() => pointerOn(student, 'Anna Petrova’s screen')).toEqual([0.5, 0.5])
    for (let steps = 0; steps < 3; steps++) await teacher.keyboard.press('Shift+ArrowRight')
    await teacher.keyboard.press('ArrowUp')
    await expect.poll(() => pointerOn(student, 'Anna Petrova’s screen')).toEqual([0.8, 0.48])
    expect(await student.getByRole('application').count()).toBe(0)

    const box = await board.boundingBox()
    if (!box) throw new Error('no board')
    await teacher.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await expect.poll(() => pointerOn(student, 'Anna Petrova’s screen')).toEqual([0.5, 0.5])
    await shoot(student, 'pointer-student')
    await checkAppearance(teacher, 'pointer', { shoot, sizes: [PHONE] })
    await board.focus()
    await teacher.keyboard.press('Escape')
    await board.waitFor({ state: 'detached' })
    expect(await hasFocus(button(teacher, 'Laser pointer'))).toBe(true)
    await expect.poll(() => pointerOn(student, 'Anna Petrova’s screen')).toBeNull()
    await expectStageBesidePanel(teacher)
    await button(teacher, 'Stop').press('Enter')
    await screen.waitFor({ state: 'detached' })
    // The pressed button is gone, but the focus stays near it.
    await expect.poll(() => hasFocus(teacher.locator('main'))).toBe(true)
  })

  it('is informed of the reason where the browser cannot share a screen', async () => {
    const { student } = await begin()
    await student.evaluate(() => Reflect.deleteProperty(MediaDevices.prototype, 'getDisplayMedia'))
    await control(student, 'Share screen').click()
    await dialog(student).getByText('This browser cannot share a screen').waitFor()
    await checkAppearance(student, 'share-problem', { shoot, selector: 'dialog', sizes: [PHONE] })
    await dialog(student).getByRole('button', { name: 'Close' }).click()
    await dialog(student).waitFor({ state: 'detached' })
    expect(await control(student, 'Share screen').getAttribute('aria-pressed')).toBe('false')
  })
})

describe('participants', () => {
  it('react, as long as they may write in the chat', async () => {
    const { teacher, student } = await begin()
    await student.keyboard.press('r')
    await dialog(student).getByRole('button', { name: 'Applause' }).waitFor()
    await checkAppearance(student, 'reactions', { shoot, selector: 'dialog', sizes: [PHONE] })
    // Both are gone after five seconds.
    const shown = Promise.all([
      tile(teacher, 'person', 'Mia Andersson').locator('[data-reaction=clap]').waitFor(),
      teacher.getByText('Mia Andersson: Applause').waitFor({ state: 'attached' }),
    ])
    await dialog(student).getByRole('button', { name: 'Applause' }).click()
    await shown
    await shoot(teacher, 'reaction')
    await openChat(teacher)
    await teacher.getByRole('checkbox', { name: 'Only the teacher can send messages' }).click()
    await expect.poll(() => control(student, 'Reactions').getAttribute('aria-disabled')).toBe('true')
    await student.keyboard.press('r')
    expect(await dialog(student).count()).toBe(0)
  })

  it('find options, shortcuts and statistics in a partner room, which has no invitation link', async () => {
    const { teacher, student } = await begin()
    await student.keyboard.press('?')
    await dialog(student).getByText('Show this list').waitFor()
    await checkAppearance(student, 'shortcuts', { shoot, selector: 'dialog', sizes: [PHONE] })
    await expectWayOutInView(student)
    await student.keyboard.press('Escape')
    await dialog(student).waitFor({ state: 'detached' })

    await openOptions(student)
    expect(await dialog(student).getByText('invitation').count()).toBe(0)
    await checkAppearance(student, 'options', { shoot, selector: 'dialog', sizes: [PHONE] })
    await dialog(student).getByRole('checkbox', { name: 'Hold the space bar to talk while muted' }).check()
    await dialog(student).getByRole('button', { name: 'Connection statistics' }).click()
    const line = (source: string) => dialog(student).locator(`[data-stream=${source}]`).first()
    await expect
      .poll(() => line('camera').textContent())
      .toMatch(/Camera: .*kbit\/s.* · \u2066\d+×\d+\u2069 · .*VP[89]/)
    await dialog(student)
      .getByText(/UDP · round\strip/)
      .first()
      .waitFor()
    await dialog(student).getByText('Anna Petrova').waitFor()
    await checkAppearance(student, 'statistics', { shoot, selector: 'dialog', sizes: [PHONE] })
    await student.keyboard.press('Escape')
    await dialog(student).waitFor({ state: 'detached' })
    // Another dialog was open before.
    await expect.poll(() => hasFocus(control(student, 'Options'))).toBe(true)

    await openOptions(student)
    const [pip] = await Promise.all([
      student.context().waitForEvent('page'),
      dialog(student).getByRole('button', { name: 'Picture-in-picture' }).click(),
    ])
    const isPlaying = () =>
      pip.locator('video').evaluate((video: HTMLVideoElement) => video.videoWidth > 0 && !video.paused)
    await waitFor(isPlaying, 'the small window shows a video')
    await pip.getByText('Anna Petrova').waitFor()
    await shoot(pip, 'pip')
    await openOptions(student)
    await dialog(student).getByRole('button', { name: 'Close picture-in-picture' }).click()
    await waitFor(() => pip.isClosed(), 'the small window is closed')

    const isMuted = () => tile(teacher, 'person', 'Mia').getByRole('img', { name: 'Muted' }).isVisible()
    await student.keyboard.press('m')
    await waitFor(isMuted, 'Mia is muted')
    await student.keyboard.down(' ')
    await waitFor(async () => !(await isMuted()), 'Mia talks')
    await student.keyboard.up(' ')
    await waitFor(isMuted, 'Mia is muted again')
  })

  it('set the volume of each person, and type nothing while they hold a shortcut key', async () => {
    const { student } = await begin()
    await student.keyboard.down('c')
    await field(student).waitFor()
    for (let repeats = 0; repeats < 5; repeats++) await student.keyboard.down('c')
    await student.keyboard.up('c')
    expect(await field(student).inputValue()).toBe('')
    await student.keyboard.type('c')
    expect(await field(student).inputValue()).toBe('c')

    await openPeople(student)
    await button(student, 'Options for Anna Petrova').click()
    const slider = student.getByRole('slider', { name: 'Volume for me' })
    await slider.focus()
    for (let steps = 0; steps < 10; steps++) await slider.press('ArrowLeft')
    expect(await slider.inputValue()).toBe('50')
    const volumes = () =>
      student.locator('audio').evaluateAll(all => all.map(each => (each as HTMLAudioElement).volume))
    expect(await volumes()).toEqual([0.5])
    await checkPanel(student, 'volume')
  })

  it('are notified in the title of a hidden tab', async () => {
    const { teacher, student } = await begin()
    const title = await student.title()
    await setVisible(student, false)
    await control(teacher, 'Raise hand').click()
    await expect.poll(() => student.title()).toBe(`Anna Petrova raised a hand · ${title}`)
    await openChat(teacher)
    await sendMessage(teacher, 'Hello')
    await expect.poll(() => student.title()).toBe(`Message from Anna Petrova · ${title}`)
    await setVisible(student, true)
    await expect.poll(() => student.title()).toBe(title)
    await teacher.setViewportSize({ width: 390, height: 844 })
    await button(teacher, 'Close chat').click()
    await button(teacher, 'More').click()
    await openPeople(teacher)
    const isShown = () => teacher.getByRole('checkbox', { name: 'Share screen' }).isVisible()
    expect(await isShown()).toBe(false)
    await teacher.getByText('Participants can').click()
    expect(await isShown()).toBe(true)
    await checkPanel(teacher, 'permissions-phone')
  })
})
