import type { Page } from 'playwright-core'

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
