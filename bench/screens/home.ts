import type { Browser, Page } from 'playwright-core'
import { addUser, type Service } from '../support/lectern.ts'
import { fillAccount, PASSWORD } from './account.ts'
import { type Camera, LOOKS, type Look, optionsOf } from './looks.ts'

const PAGES = ['', 'contacts', 'calls', 'meetings', 'recordings', 'settings', 'admin']
const SECTIONS = [
  'users',
  'rooms',
  'sessions',
  'service-accounts',
  'recordings',
  'transcripts',
  'jobs',
  'webhooks',
  'push',
  'audit',
]

/** The pages of a user who may administer: empty ones first, and then those of an account that is in use. */
export async function takeHome(
  service: Service,
  browser: Browser,
  camera: Camera,
  faces: string[],
): Promise<void> {
  await addUser(service, 'anna', PASSWORD, '--name', 'Anna Petrova', '--capability', 'admin')
  await addUser(service, 'new', PASSWORD, '--name', 'Noor')
  const signIn = async (login: string, look: Look) => {
    const context = await browser.newContext(optionsOf(look))
    const page = await context.newPage()
    await page.goto(service.url)
    await page.locator('input[type=password]').waitFor()
    await camera.take(page, 'sign-in', look)
    await page.locator('form:has(input[type=password]) input:not([type=password])').first().fill(login)
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.locator('nav').first().waitFor()
    return page
  }
  const take = async (page: Page, path: string, name: string, look: Look) => {
    await page.goto(`${service.url}/${path}`)
    await page.locator('main :is(h1, h2)').first().waitFor()
    await camera.take(page, name, look)
  }
  for (const look of LOOKS) {
    const page = await signIn('new', look)
    for (const path of PAGES.slice(0, 5)) await take(page, path, `empty-${path || 'start'}`, look)
    await page.context().close()
  }
  const filled = await fillAccount(service, 'anna', faces)
  for (const look of LOOKS) {
    const page = await signIn('anna', look)
    for (const path of PAGES) await take(page, path, `home-${path || 'start'}`, look)
    for (const [name, path] of Object.entries(filled.pages)) await take(page, path, `home-${name}`, look)
    for (const section of SECTIONS) await take(page, `admin/${section}`, `admin-${section}`, look)
    const stop = await filled.ring()
    await page
      .locator('[role=alertdialog], dialog[open], [data-ringing]')
      .first()
      .waitFor()
      .catch(() => {})
    await camera.take(page, 'incoming-call', look)
    await stop()
    await page.context().close()
  }
  filled.close()
}
