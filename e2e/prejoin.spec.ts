import type { PartnerClient } from '@lectern/partner'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, FAKE_DEVICES_WITH_PROMPT, useBrowser } from './support/browser.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { createHostedRoom } from './support/rooms.ts'
import { useSite } from './support/site.ts'
import { openSettings, Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const frame = useSite()
const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_INTEGRATION_FRAME_ANCESTORS: frame.origin,
}))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
/** Asks for permission, and keeps the ids of devices, unlike the shell. */
const openFull = useBrowser([...FAKE_DEVICES_WITH_PROMPT, '--deny-permission-prompts'], {
  isFullBrowser: true,
})
let partner: PartnerClient
let lesson: Awaited<ReturnType<typeof createHostedRoom>>
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
  lesson = await createHostedRoom(partner, 'prejoin', open)
})

const joinsAs = (page: Page, name: string) => page.getByText(`You join as ${name}`).waitFor()
const joinButton = (page: Page) => page.getByRole('button', { name: 'Join' })

/** Runs in the page. */
const playsSound = () =>
  [...document.querySelectorAll('audio')].some(
    ({ paused, muted, currentTime }) => !paused && !muted && currentTime > 0,
  )

const previewMoves = (page: Page) =>
  waitFor(
    () =>
      page.evaluate(
        () => (document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0) > 5,
      ),
    'the preview plays',
  )

describe('the prejoin screen', () => {
  let teacher: Visitor

  it('shows camera and microphone, plays a test sound, and sends no personal data before the join', async () => {
    const tab = await open(lesson.links.teacher)
    const { page, requests, console } = tab
    await previewMoves(page)
    await page.getByText('Your microphone works').waitFor()
    await joinsAs(page, 'Anna Petrova')
    const lit = () => page.locator('[class*=_lit_]').count()
    await waitFor(async () => (await lit()) > 3, 'the beep of the fake microphone is seen')
    await waitFor(async () => (await lit()) === 0, 'the silence after it is seen')
    await openSettings(page)
    await expect.poll(() => page.getByRole('combobox', { name: 'Camera' }).inputValue()).not.toBe('')
    await page.getByRole('button', { name: 'Play test sound' }).click()
    await page.getByRole('button', { name: 'Playing…' }).waitFor()
    await page.getByRole('button', { name: 'Play test sound' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Turn off camera' }).click()
    await page.getByText('Camera is off').waitFor()
    await page.getByRole('button', { name: 'Turn on camera' }).click()
    await previewMoves(page)
    for (const { url } of requests) expect(new URL(url).origin).toBe(lectern.url)
    expect(requests.map(({ url }) => url).join()).not.toContain('auth/guest')
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
    expect(console).toEqual([])
    teacher = await Visitor.join(tab)
  })

  it('explains denied permission, opens the devices once it is granted, and remembers the chosen one', async () => {
    const tab = await openFull(lesson.links.student)
    const { page, context } = tab
    await page.getByText('Camera and microphone: Access is blocked in your browser').waitFor()
    // Without devices, people can join, see and hear.
    const student = await Visitor.join(tab, { withoutDevices: true })
    await student.waitForVideo('Anna Petrova')
    await waitFor(() => page.evaluate(playsSound), 'the sound of the teacher is played')
    await expect.poll(() => teacher.isMuted('Mia')).toBe(true)
    await student.button('Microphone').click()
    await page.getByRole('dialog').getByText('Access is blocked in your browser').waitFor()
    await page.keyboard.press('Escape')
    await student.button('Leave').click()
    await page.getByRole('button', { name: 'Rejoin' }).waitFor()
    await page.reload()
    await page.getByText('Access is blocked in your browser').waitFor()

    await context.grantPermissions(['camera', 'microphone'], { origin: lectern.url })
    await previewMoves(page)
    await openSettings(page)
    const microphone = page.getByRole('combobox', { name: 'Microphone' })
    await waitFor(async () => (await microphone.locator('option').count()) > 1, 'several are listed')
    const chosen = await microphone.locator('option').last().getAttribute('value')
    await microphone.selectOption(chosen)
    await page.reload()
    await previewMoves(page)
    await openSettings(page)
    await waitFor(async () => (await microphone.inputValue()) === chosen, 'the choice is restored')
  })

  it('suggests the last name where the link has none', async () => {
    await teacher.button('Leave').click() // who is inside a call enters it again after a reload
    await teacher.page.goto(lesson.links.plain)
    await teacher.page.getByRole('textbox', { name: 'Your name' }).fill('Sam')
    await joinButton(teacher.page).click()
    await teacher.page.getByRole('button', { name: 'Leave' }).click()
    await teacher.page.reload()
    await joinButton(teacher.page).waitFor()
    await joinsAs(teacher.page, 'Sam')
    await teacher.page.goto(lesson.links.student)
    await joinsAs(teacher.page, 'Mia Andersson')
    await teacher.page.context().close()
  })

  it('explains an iframe without device permission, and offers a new window', async () => {
    frame.html = `<!doctype html><title>Portal</title><iframe src="${lesson.links.teacher}" width="900" height="900"></iframe>`
    const { page } = await open(frame.origin)
    const inside = page.frameLocator('iframe')
    await inside.getByText('Access is blocked by the surrounding page').waitFor()
    const way = inside.getByRole('link', { name: 'Open in a new tab' })
    expect(await way.getAttribute('href')).toBe(lesson.links.teacher)
    await inside.getByRole('button', { name: 'Join' }).click()
    await inside.getByRole('region', { name: 'Controls' }).waitFor()
  })
})
