import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, FAKE_DEVICES_WITH_PROMPT, useBrowser } from '../../support/browser.ts'
import { PLAIN_LINK_OPEN, useLectern } from '../../support/lectern.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { useSite } from '../../support/site.ts'
import { openSettings, previewMoves, Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

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
let lesson: Awaited<ReturnType<typeof createHostedRoom>>
beforeAll(async () => {
  lesson = await createHostedRoom(lectern.client(await lectern.addAccount()), 'denied', open)
})

/** Runs in the page. */
const playsSound = () =>
  [...document.querySelectorAll('audio')].some(
    ({ paused, muted, currentTime }) => !paused && !muted && currentTime > 0,
  )

describe('the prejoin screen of a browser that denies devices', () => {
  it('explains denied permission, opens the devices once it is granted, and remembers the chosen one', async () => {
    const teacher = await lesson.teacher()
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
