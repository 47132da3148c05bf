import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { createHostedRoom } from './support/rooms.ts'
import { openSettings, previewMoves, Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
}))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
let lesson: Awaited<ReturnType<typeof createHostedRoom>>
beforeAll(async () => {
  lesson = await createHostedRoom(lectern.client(await lectern.addAccount()), 'prejoin', open)
})

const joinsAs = (page: Page, name: string) => page.getByText(`You join as ${name}`).waitFor()
const joinButton = (page: Page) => page.getByRole('button', { name: 'Join' })

/** Devices that are denied are among the tests of components, and in endurance/media. */
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
})
