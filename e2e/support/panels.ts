import type { Page } from 'playwright-core'

/** Locators of the room's panels. */
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const field = (page: Page) => page.getByRole('textbox', { name: 'Write a message' })
export const log = (page: Page) => page.getByRole('region', { name: 'Messages' })
export const messageWith = (page: Page, text: string) => log(page).getByText(text, { exact: true })

export const openChat = (page: Page) => button(page, /^Chat/).click()
export const openPeople = (page: Page) => button(page, /^Participants/).click()

/** Presses an item of the menu of a person in the open list. */
export async function inMenuOf(page: Page, name: string | RegExp, item: string) {
  await page
    .locator('aside li')
    .filter({ hasText: name })
    .getByRole('button', { name: /^Options for/ })
    .click()
  await page
    .getByRole('region', { name: /^Options for/ })
    .getByRole('button', { name: item })
    .click()
}

/** Changes a switch of *Manage class*, which a button of the open list opens. */
export async function setClassRule(page: Page, name: string) {
  await button(page, 'Manage class').click()
  await page.getByRole('dialog').getByRole('checkbox', { name, exact: true }).click()
  await page.keyboard.press('Escape')
}

export async function sendMessage(page: Page, text: string) {
  await field(page).fill(text)
  await page.keyboard.press('Enter')
}
