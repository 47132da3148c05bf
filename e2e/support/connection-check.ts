import type { Page } from 'playwright-core'
import { openSettings } from './visitor.ts'

const startButton = (page: Page) => page.getByRole('button', { name: 'Check connection' })
const result = (page: Page) => page.getByRole('region', { name: 'Connection' }).getByRole('status').first()

/** Opens the settings of the prejoin page, presses the button and waits for the result. */
export async function checkConnection(page: Page): Promise<string | null> {
  await openSettings(page)
  const runs = page.getByRole('button', { name: 'Checking your connection…' }).waitFor({ timeout: 2_000 })
  const begun = runs.catch(() => {}) // the test may finish first
  await startButton(page).click()
  await begun
  await startButton(page).waitFor()
  return result(page).textContent()
}

/** What the page says in the details for support. */
export async function factsOf(page: Page): Promise<Record<string, string>> {
  await page.getByText('Details for support').click()
  const rows = await page.getByRole('region', { name: 'Connection' }).locator('dl > div').all()
  const facts = await Promise.all(
    rows.map(async row => [await row.locator('dt').textContent(), await row.locator('dd').textContent()]),
  )
  return Object.fromEntries(facts)
}
