import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import { checkAppearance } from './appearance.ts'
import { FAKE_DEVICES, useBrowser } from './browser.ts'
import { useLectern } from './lectern.ts'
import { LESSON } from './links.ts'
import { screenshotsOf } from './screenshots.ts'

/** Locators of the room's panels. */
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const panelButton = (page: Page, name: string) => page.locator('aside').getByRole('button', { name })
export const field = (page: Page) => page.getByRole('textbox', { name: 'Write a message' })
export const log = (page: Page) => page.getByRole('region', { name: 'Messages' })
export const messageWith = (page: Page, text: string) => log(page).getByText(text, { exact: true })

export const openChat = (page: Page) => button(page, /^Chat/).click()
export const openPeople = (page: Page) => button(page, /^Participants/).click()

export async function sendMessage(page: Page, text: string) {
  await field(page).fill(text)
  await page.keyboard.press('Enter')
}

/** Runs a service with lessons: a teacher and a student in one room, each in their own page. */
export function useLessonPages(name: string, env: Record<string, string> = {}) {
  const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', ...env }))
  const open = useBrowser(FAKE_DEVICES)
  const shoot = screenshotsOf(name)
  let partner: ReturnType<typeof lectern.client>
  let rooms = 0
  beforeAll(async () => {
    partner = lectern.client(await lectern.addAccount())
  })

  const makeRoom = () => partner.createRoom(`lesson-${++rooms}`, LESSON)

  /** Whether a session is open, which would be recorded. */
  const isLive = async (room: { external_id: string }) => (await partner.roomStatus(room.external_id)).live

  /** Joins the room through the prejoin screen. */
  async function enter(link: string, options: BrowserContextOptions = {}) {
    const { page } = await open(link, { reducedMotion: 'reduce', ...options })
    await button(page, 'Join').click()
    await button(page, 'Chat').waitFor()
    return page
  }

  async function begin(options?: BrowserContextOptions) {
    const room = await makeRoom()
    const [teacher, student] = await Promise.all([
      enter(room.teacher_join_url, options),
      enter(room.student_join_url, options),
    ])
    return { room, teacher, student }
  }

  /** Checks the open panel, or the whole page if none is open. */
  async function checkPanel(page: Page, name: string) {
    const selector = (await page.locator('aside').count()) > 0 ? 'aside' : 'body'
    await checkAppearance(page, name, { shoot, selector })
  }

  return { lectern, open, makeRoom, isLive, enter, begin, checkPanel }
}
