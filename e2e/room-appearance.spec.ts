import type { PartnerClient } from '@lectern/partner'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkAppearance } from './support/appearance.ts'
import { FAKE_DEVICES, FAKE_DEVICES_WITH_PROMPT, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { createHostedRoom } from './support/rooms.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { Visitor } from './support/visitor.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '2' }))
const open = useBrowser(FAKE_DEVICES)
const shoot = screenshotsOf('room')
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})
const makeRoom = () => createHostedRoom(partner, `room-${++rooms}`, open)

/** Many videos are rendered without a GPU. */

const SIZES = [
  ['phone', 360, 740],
  ['small-phone', 320, 568],
  ['lying-phone', 740, 360],
  ['desktop', 1280, 720],
  ['wall', 3840, 2160],
] as const

describe('the room', () => {
  it('has no accessibility violation and fits', async () => {
    const room = await makeRoom()
    const teacher = await room.teacher({ reducedMotion: 'reduce' })
    await checkRoom(teacher.page, 'alone')
    const student = await room.student()
    await teacher.waitForVideo('Mia Andersson')
    await student.button('Raise hand').click()
    await student.page.keyboard.press('m')
    await checkRoom(teacher.page, 'two')
    await student.button('Share screen').click()
    await teacher.waitForVideo('Mia Andersson’s screen')
    await teacher.button('Chat').click()
    await checkRoom(teacher.page, 'screen-and-chat')
  })

  it('has an overflow menu on a phone, also by keyboard', async () => {
    const room = await makeRoom()
    const { page, button } = await room.teacher({ viewport: { width: 360, height: 740 } })
    const isOpen = () => button('Full screen').isVisible()
    const hasFocus = (name: string) => button(name).evaluate(each => each === document.activeElement)
    expect(await isOpen()).toBe(false)
    await button('More').press('Enter')
    await page.keyboard.press('Tab')
    expect(await hasFocus('Share screen')).toBe(true)
    await page.keyboard.press('Escape')
    expect([await isOpen(), await hasFocus('More')]).toEqual([false, true])
    await button('More').click()
    await page.locator('main').click({ position: { x: 20, y: 20 } })
    expect(await isOpen()).toBe(false)
    await button('More').click()
    await shoot(page, 'drawer')
    await button('Devices').click()
    await page.getByRole('combobox', { name: 'Microphone' }).waitFor()
    await shoot(page, 'devices')
    await page.keyboard.press('Escape')
    await expect.poll(() => hasFocus('More')).toBe(true)
    expect(await isOpen()).toBe(false)
  })

  it('requests the click that a browser requires before it plays sound', async () => {
    const room = await makeRoom()
    await room.teacher()
    const tab = await open('about:blank')
    // Browsers block autoplay in iframes and after a reload; this simulates it.
    await tab.context.addInitScript(() => {
      const { play } = HTMLAudioElement.prototype
      let isAllowed = false
      document.addEventListener(
        'click',
        ({ target }) => {
          isAllowed ||= target instanceof Element && target.textContent === 'Turn on sound'
        },
        true,
      )
      HTMLAudioElement.prototype.play = function () {
        return isAllowed ? play.call(this) : Promise.reject(new DOMException('no gesture', 'NotAllowedError'))
      }
    })
    await tab.page.goto(room.links.student)
    const student = await Visitor.join(tab)
    await student.page.getByRole('button', { name: 'Turn on sound' }).click()
    await student.waitForSound()
    expect(await student.page.getByText('Turn on sound').count()).toBe(0)
  })

  it('is available in Russian', async () => {
    const room = await makeRoom()
    const { page } = await open(room.links.student, { locale: 'ru-RU' })
    await page.getByRole('button', { name: 'Присоединиться' }).click()
    await page.getByText('Пока здесь только вы').waitFor()
    await shoot(page, 'russian')
  })

  it('is mirrored in Arabic', async () => {
    const room = await makeRoom()
    const { page } = await open(room.links.teacher, { locale: 'ar', reducedMotion: 'reduce' })
    await page.getByRole('button', { name: 'انضمام' }).click()
    await room.student()
    await page.locator('[data-overlay] video').waitFor()
    const boxOf = (selector: string) => page.locator(selector).boundingBox()
    const [own, stage] = [await boxOf('[data-overlay]'), await boxOf('[data-beside-overlay]')]
    expect(own?.x).toBeLessThan((stage?.x ?? 0) + (stage?.width ?? 0) / 2)
    // A mirror in every language.
    expect(await page.locator('[data-overlay] video').getAttribute('data-mirrored')).toBe('true')
    await page.keyboard.press('c')
    const field = page.getByRole('textbox', { name: 'كتابة رسالة' })
    await field.fill('Hello')
    await field.press('Enter')
    const message = page.locator('[data-text]').filter({ hasText: 'Hello' })
    // The message is rendered again when it is stored.
    await expect.poll(() => message.evaluate(element => getComputedStyle(element).direction)).toBe('ltr')
    const panel = await page.getByRole('region', { name: 'الدردشة' }).boundingBox()
    expect(panel?.x).toBeLessThan(200)
    await checkAppearance(page, 'arabic', { shoot, sizes: SIZES })
  })
})

describe('a participant without camera and microphone', () => {
  const openBare = useBrowser([...FAKE_DEVICES_WITH_PROMPT, '--deny-permission-prompts'], {
    isFullBrowser: true,
  })

  it('can join and listen', async () => {
    const room = await makeRoom()
    const teacher = await room.teacher()
    const { page, waitForVideo, waitForSound, isPressed, button } = await Visitor.join(
      await openBare(room.links.student),
      {
        withoutDevices: true,
      },
    )
    await waitForVideo('Anna Petrova')
    await waitForSound()
    await expect.poll(() => isPressed('Microphone')).toBe(false)
    await expect.poll(() => teacher.isMuted('Mia')).toBe(true)
    await button('Microphone').click()
    await page.getByRole('dialog').getByText('Access is blocked in your browser').waitFor()
    await shoot(page, 'bare')
  })
})

/** Checks that everything fits and the leave button is reachable at each size. */
const checkRoom = (page: Page, name: string) =>
  checkAppearance(page, name, {
    shoot,
    sizes: SIZES,
    checkSize: async width => {
      const leave = await page.getByRole('button', { name: 'Leave' }).boundingBox()
      expect((leave?.x ?? width) + (leave?.width ?? 0)).toBeLessThanOrEqual(width)
    },
  })
