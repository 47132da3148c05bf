import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, createConference } from './support/accounts.ts'
import { checkAccessibility, checkAppearance, PHONE } from './support/appearance.ts'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { Home, useCommands } from './support/home.ts'
import { checkKeyboard } from './support/keyboard.ts'
import { useLectern } from './support/lectern.ts'
import { createLinks } from './support/links.ts'
import { field, messageWith, openChat, sendMessage } from './support/panels.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { Visitor } from './support/visitor.ts'

const lectern = useLectern()
const open = useBrowser()
const shoot = screenshotsOf('pages')
let links: Awaited<ReturnType<typeof createLinks>>
beforeAll(async () => {
  links = await createLinks(lectern.client(await lectern.addAccount()))
})

const KINDS = ['teacher', 'plain', 'closed', 'cancelled', 'rotated', 'forged', 'cut', 'unknown'] as const
const STILL = { reducedMotion: 'reduce' } as const

describe('the link pages', () => {
  it('have no accessibility violation, fit a phone and are reached by the Tab key', async () => {
    for (const kind of KINDS) {
      const { page, context } = await open(links[kind], STILL)
      await check(page, kind)
      await context.close()
    }
  })

  it('have no accessibility violation, fit a phone and are reached by the Tab key, while the server is unreachable', async () => {
    const { page, context } = await open('about:blank', STILL)
    await context.route('**/api/**', route => route.abort('connectionrefused'))
    await page.goto(links.teacher)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await check(page, 'unreachable')
  })
})

describe('the room', () => {
  const openWithDevices = useBrowser(FAKE_DEVICES)

  it('has no accessibility violation and is reached by the Tab key as a whole, alone and with the chat', async () => {
    const teacher = await Visitor.join(await openWithDevices(links.teacher, STILL))
    await check(teacher.page, 'room-alone')
    const student = await Visitor.join(await openWithDevices(links.student, STILL))
    await Promise.all([teacher.waitForVideo('Mia Andersson'), student.waitForVideo('Anna Petrova')])
    await Promise.all([openChat(teacher.page), openChat(student.page)])
    await sendMessage(student.page, 'Good morning: https://a.example/algebra')
    await sendMessage(teacher.page, 'Hello')
    await messageWith(student.page, 'Hello').waitFor()
    await field(teacher.page).fill('half a sen')
    for (const [name, { page }] of [
      ['teacher', teacher],
      ['student', student],
    ] as const)
      await check(page, `room-chat-${name}`)
  })
})

const PATHS = ['/', '/contacts', '/calls', '/meetings', '/recordings', '/settings']

describe('the pages of users', () => {
  const connect = useCommands(lectern)

  it('have no accessibility violation in Arabic', async () => {
    const { login, password } = await addUser(lectern, 'amira')
    const { page } = await open(lectern.url, { ...STILL, locale: 'ar' })
    await page.getByRole('textbox', { name: 'اسم المستخدم' }).fill(login)
    await page.getByLabel('كلمة المرور').fill(password)
    await page.keyboard.press('Enter')
    await page.locator('nav a[href="/contacts"]').first().waitFor()
    for (const path of PATHS) {
      if (path !== '/') await page.locator(`nav a[href="${path}"]`).first().click()
      await page.locator('main h1, main h2').first().waitFor()
      await expect.poll(() => new URL(page.url()).pathname).toBe(path)
      await shoot(page, `ar${path.replace('/', '-')}`)
      await checkAccessibility(page, `Arabic ${path}`)
    }
  })

  it('are reached as a whole by the Tab key, in view and marked, also on a phone', async () => {
    const [anna, ben, clara] = [
      await addUser(lectern, 'anna'),
      await addUser(lectern, 'ben'),
      await addUser(lectern, 'clara'),
    ]
    const [a, b, c] = [await connect(anna), await connect(ben), await connect(clara)]
    await a.addContact('ben')
    await b.addContact('anna')
    await c.addContact('anna')
    for (let i = 1; i <= 12; i++) await b.send(a.userId, `Message ${i}: https://a.example/${i}`)
    for (const title of ['Algebra', 'Geometry']) await createConference(lectern, a.account, title)
    const { page, row, openChat } = await Home.open(open, lectern.url, anna, STILL)
    await row('Ben').waitFor()
    for (const [name, width, height] of [['desktop', 1280, 800], PHONE] as const) {
      await page.setViewportSize({ width, height })
      for (const path of PATHS) {
        await page.goto(lectern.url + path)
        await page.locator('main h1, main h2').first().waitFor()
        await page.waitForLoadState('networkidle')
        await checkKeyboard(page, `${path} (${name})`)
      }
      await page.goto(lectern.url)
      await openChat('Ben')
      await checkKeyboard(page, `chat (${name})`)
    }
  })
})

async function check(page: Page, name: string) {
  await page.getByRole('heading', { level: 1 }).and(page.locator(':not(.visually-hidden)')).waitFor()
  await checkKeyboard(page, name)
  await checkAppearance(page, name, { shoot, sizes: [PHONE] })
}
