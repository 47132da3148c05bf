import type { Browser } from 'playwright-core'
import { addUser, type Service } from '../support/lectern.ts'
import { type Camera, LOOKS, optionsOf } from './looks.ts'

const PASSWORD = 'a long password'
const PAGES = ['', 'contacts', 'calls', 'meetings', 'recordings', 'settings', 'admin'] as const

/** The pages of a user who may administer, and the way in. */
export async function takeHome(service: Service, browser: Browser, camera: Camera): Promise<void> {
  await addUser(service, 'anna', PASSWORD, '--name', 'Anna Petrova', '--capability', 'admin')
  for (const look of LOOKS) {
    const context = await browser.newContext(optionsOf(look))
    const page = await context.newPage()
    await page.goto(service.url)
    await page.locator('input[type=password]').waitFor()
    await camera.take(page, 'sign-in', look)
    await page.locator('form:has(input[type=password]) input:not([type=password])').first().fill('anna')
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.locator('nav').first().waitFor()
    for (const name of PAGES) {
      await page.goto(`${service.url}/${name}`)
      await page.locator('main h1').first().waitFor()
      await camera.take(page, `home-${name || 'start'}`, look)
    }
    await context.close()
  }
}
