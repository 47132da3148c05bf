import { describe, expect, it } from 'vitest'
import { addUser } from '../../support/accounts.ts'
import { checkAccessibility, PHONE } from '../../support/appearance.ts'
import { useBrowser } from '../../support/browser.ts'
import { Home, useCommands } from '../../support/home.ts'
import { checkKeyboard } from '../../support/keyboard.ts'
import { useLectern } from '../../support/lectern.ts'
import { screenshotsOf } from '../../support/screenshots.ts'

const lectern = useLectern()
const open = useBrowser()
const shoot = screenshotsOf('pages')
const STILL = { reducedMotion: 'reduce' } as const
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

  /** Each page alone is among the tests of components. */
  it('are reached as a whole by the Tab key, in view and marked, also on a phone', async () => {
    const [anna, ben] = [await addUser(lectern, 'anna'), await addUser(lectern, 'ben')]
    const [a, b] = [await connect(anna), await connect(ben)]
    await a.addContact('ben')
    await b.addContact('anna')
    for (let i = 1; i <= 12; i++) await b.send(a.userId, `Message ${i}: https://a.example/${i}`)
    const { page, row, openChat } = await Home.open(open, lectern.url, anna, STILL)
    await row('Ben').waitFor()
    for (const [name, width, height] of [['desktop', 1280, 800], PHONE] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(lectern.url)
      await openChat('Ben')
      await checkKeyboard(page, `chat (${name})`)
    }
  })
})
