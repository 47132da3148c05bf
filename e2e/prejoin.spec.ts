import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkAppearance } from './support/appearance.ts'
import {
  FAKE_DEVICES,
  FAKE_DEVICES_WITH_PROMPT,
  type Tab,
  useBrowser,
  withBlockedStorage,
} from './support/browser.ts'
import { useFolders } from './support/folders.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { createLinks } from './support/links.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { useSite } from './support/site.ts'
import { waitFor } from './support/wait.ts'

const frame = useSite()
const lectern = useLectern(() => ({
  SVC_INTEGRATION_FRAME_ANCESTORS: frame.origin,
  ...PLAIN_LINK_OPEN,
}))
const open = useBrowser(FAKE_DEVICES)
/** Asks for permission, and keeps the ids of devices, unlike the shell. */
const openFull = useBrowser([...FAKE_DEVICES_WITH_PROMPT, '--deny-permission-prompts'], {
  isFullBrowser: true,
})
const makeFolder = useFolders()
const shoot = screenshotsOf('prejoin')
let links: Awaited<ReturnType<typeof createLinks>>
beforeAll(async () => {
  links = await createLinks(lectern.client(await lectern.addAccount()))
})

const nameOf = (page: Page) => page.getByRole('textbox', { name: 'Your name' })
const joinButton = (page: Page) => page.getByRole('button', { name: 'Join' })
const controls = (page: Page) => page.getByRole('region', { name: 'Controls' })

/** The number of frames that the preview has rendered. */
const framesOf = (page: Page) =>
  page.evaluate(() => document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0)

const previewMoves = (page: Page) => waitFor(async () => (await framesOf(page)) > 5, 'the preview plays')

describe('the prejoin screen', () => {
  it('shows the camera, the microphone level and the name in the link', async () => {
    const { page, console } = await open(links.teacher)
    await previewMoves(page)
    await expect.poll(() => nameOf(page).inputValue()).toBe('Anna Petrova')
    await page.getByText('Your microphone works').waitFor()
    await expect.poll(() => page.getByRole('combobox', { name: 'Camera' }).inputValue()).not.toBe('')
    expect(console).toEqual([])
  })

  it('can be used by keyboard only', async () => {
    const { page } = await open(links.plain)
    await joinButton(page).waitFor()
    for (let presses = 0; !(await isFocused(nameOf(page))); presses++) {
      expect(presses).toBeLessThan(10)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.getByText('Enter your name').waitFor()
    await page.keyboard.type('Sam')
    await page.keyboard.press('Enter')
    await controls(page).waitFor()
  })

  it('switches camera and microphone off and on', async () => {
    const { page } = await open(links.student)
    await previewMoves(page)
    await page.getByRole('button', { name: 'Turn off camera' }).click()
    await page.getByText('Camera is off').waitFor()
    expect(await page.locator('video').count()).toBe(0)
    await page.getByRole('button', { name: 'Turn off microphone' }).click()
    await page.getByText('You will join without camera and microphone').waitFor()
    await page.getByRole('button', { name: 'Turn on camera' }).click()
    await previewMoves(page)
  })

  it('remembers the selected device', async () => {
    const { page } = await openFull(links.student, { permissions: ['camera', 'microphone'] })
    await previewMoves(page)
    const microphone = page.getByRole('combobox', { name: 'Microphone' })
    await waitFor(async () => (await microphone.locator('option').count()) > 1, 'several are listed')
    const chosen = await microphone.locator('option').last().getAttribute('value')
    await microphone.selectOption(chosen)
    await page.reload()
    await previewMoves(page)
    await waitFor(async () => (await microphone.inputValue()) === chosen, 'the choice is restored')
  })

  it('suggests the last name where the link has none', async () => {
    const { page } = await open(links.plain)
    await nameOf(page).fill('Sam')
    await joinButton(page).click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.reload()
    await joinButton(page).waitFor()
    await expect.poll(() => nameOf(page).inputValue()).toBe('Sam')
    await page.goto(links.student)
    await page.getByText('Mia Andersson').waitFor()
    await expect.poll(() => nameOf(page).inputValue()).toBe('Mia Andersson')
  })

  it('reappears with its devices when the visitor navigates back', async () => {
    const { page } = await open(links.student)
    await previewMoves(page)
    await joinButton(page).click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('button', { name: 'Rejoin' }).click()
    await previewMoves(page)
  })

  it('shows the join button without scrolling in an iframe of common size', async () => {
    const { page } = await open(links.teacher, { viewport: { width: 800, height: 600 } })
    await previewMoves(page)
    await shoot(page, 'frame')
    const box = await joinButton(page).boundingBox()
    expect((box?.y ?? 600) + (box?.height ?? 0)).toBeLessThanOrEqual(600)
  })

  it('plays a test sound', async () => {
    const { page, console } = await open(links.student)
    await page.getByRole('button', { name: 'Play test sound' }).click()
    await page.getByRole('button', { name: 'Playing…' }).waitFor()
    await page.getByRole('button', { name: 'Play test sound' }).waitFor()
    expect(console).toEqual([])
  })

  it('sends no personal data before the visitor joins', async () => {
    const { page, requests } = await open(links.student)
    await previewMoves(page)
    for (const { url } of requests) expect(new URL(url).origin).toBe(lectern.url)
    expect(requests.map(({ url }) => url).join()).not.toContain('auth/guest')
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })

  it('works where the browser blocks all storage', async () => {
    const choose = async ({ page, console }: Tab) => {
      await page.goto(links.teacher)
      await previewMoves(page)
      const microphone = page.getByRole('combobox', { name: 'Microphone' })
      await microphone.selectOption({ index: 1 })
      await previewMoves(page)
      await joinButton(page).click()
      await controls(page).waitFor()
      expect(console).toEqual([])
    }
    await withBlockedStorage(makeFolder(), choose, FAKE_DEVICES)
  })

  it('explains an iframe without device permission, and offers a new window', async () => {
    frame.html = `<!doctype html><title>Portal</title><iframe src="${links.teacher}" width="900" height="900"></iframe>`
    const { page } = await open(frame.origin)
    const inside = page.frameLocator('iframe')
    await inside.getByText('Access is blocked by the surrounding page').waitFor()
    const way = inside.getByRole('link', { name: 'Open in a new tab' })
    expect(await way.getAttribute('href')).toBe(links.teacher)
    await inside.getByRole('button', { name: 'Join' }).click()
    await inside.getByRole('region', { name: 'Controls' }).waitFor()
  })

  it('has no accessibility violation and fits every screen', async () => {
    const { page } = await open(links.teacher, { reducedMotion: 'reduce' })
    await previewMoves(page)
    await page.getByText('Your microphone works').waitFor()
    await checkAppearance(page, 'open', { shoot })
  })

  it('is mirrored in Arabic, and loads no texts of other pages or languages', async () => {
    const { page, requests } = await open(links.teacher, { locale: 'ar', reducedMotion: 'reduce' })
    await page.getByRole('button', { name: 'انضمام' }).waitFor()
    await previewMoves(page)
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    const texts = requests.filter(({ url }) => /\/assets\/(core|home|admin)-/.test(url))
    expect(texts).toHaveLength(1)
    await checkAppearance(page, 'arabic', { shoot })
  })

  it('shows the microphone level', async () => {
    const { page } = await open(links.plain)
    await page.getByText('Your microphone works').waitFor()
    const lit = () => page.locator('[class*=_lit_]').count()
    await waitFor(async () => (await lit()) > 3, 'the beep of the fake microphone is seen')
    await shoot(page, 'level')
    await waitFor(async () => (await lit()) === 0, 'the silence after it is seen')
  })
})

describe('the prejoin screen without permission', () => {
  it('explains the denied permission, and lets visitors join', async () => {
    const { page } = await openFull(links.teacher, { reducedMotion: 'reduce' })
    await page.getByText('Camera and microphone: Access is blocked in your browser').waitFor()
    await page.getByText('allow access for this page').waitFor()
    await checkAppearance(page, 'refused', { shoot })
    await joinButton(page).click()
    await controls(page).waitFor()
  })

  it('opens the devices as soon as permission is granted', async () => {
    const { page, context } = await openFull(links.teacher)
    await page.getByText('Access is blocked in your browser').waitFor()
    await context.grantPermissions(['camera', 'microphone'], { origin: lectern.url })
    await previewMoves(page)
  })
})

describe('the prejoin screen during the permission prompt', () => {
  it('explains the prompt', async () => {
    const { page, context } = await open('about:blank', { reducedMotion: 'reduce' })
    // A headless browser answers immediately; this one keeps the prompt open.
    await context.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = () => new Promise(() => {})
    })
    await page.goto(links.teacher)
    await page.getByText('Allow access to your camera and microphone').waitFor()
    await checkAppearance(page, 'requesting', { shoot })
    await joinButton(page).click()
    await controls(page).waitFor()
  })
})

const isFocused = (field: ReturnType<typeof nameOf>) =>
  field.evaluate(element => element === document.activeElement)
