import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance, checkFit } from '../testing/appearance.ts'
import { ok } from '../testing/fake-api.ts'
import { renderPage } from '../testing/home.tsx'

const infoWith = (password_reset: boolean) => ({
  'GET /api/v1.0/server_info': () =>
    ok({ sign_in: { password: true, password_reset, sso: false, sso_name: '' } }),
})

describe('a forgotten password', () => {
  it('brings a link by mail, and the same answer for every name', async () => {
    const routes = { ...infoWith(true), 'POST /api/v1.0/auth/password-reset': () => ok({ result: 200 }) }
    const { api } = await renderPage('/', { routes })
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByRole('button', { name: 'Send the link' }).click()
    const field = page.getByLabelText('Username or mail address')
    await expect.element(field).toHaveFocus()
    await expect.element(field).toHaveAccessibleDescription('Enter your username or mail address.')
    await userEvent.keyboard(' anna@home.example {Enter}')
    await expect.element(page.getByRole('status').filter({ hasText: 'a link is on its way' })).toBeVisible()
    expect(api.requests.filter(({ method }) => method === 'POST')).toMatchObject([
      { body: { login: 'anna@home.example' } },
    ])
    await page.getByRole('button', { name: 'Back to signing in' }).click()
    await expect.element(page.getByLabelText('Password')).toBeVisible()
  })

  it('is not offered where the server sends no mail', async () => {
    await renderPage('/', { routes: infoWith(false) })
    await expect.element(page.getByLabelText('Password')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Forgot your password?' })).not.toBeInTheDocument()
  })

  it.each(['en', 'de', 'ar'] as const)('is accessible and fits every screen in %s', async language => {
    const check = language === 'en' ? checkAppearance : checkFit // axe reads no words
    await renderPage('/', { routes: infoWith(true), language })
    const { default: texts } = await import(`../texts/${language}/core.json`)
    await page.getByRole('button', { name: texts.forgotten.ask }).click()
    await page.getByRole('button', { name: texts.forgotten.verb }).click()
    await check(`forgotten-${language}`)
  })
})
