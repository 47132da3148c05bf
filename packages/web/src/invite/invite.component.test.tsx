import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance, checkFit } from '../testing/appearance.ts'
import { ok } from '../testing/fake-api.ts'
import { focus, renderPage } from '../testing/home.tsx'

const INVITATION = {
  login: 'anna',
  display_name: 'Александра Константинопольская-Преображенская',
  has_password: false,
  expires_at_ms: 2e12,
}
const routes = { 'GET /api/v1.0/invitations/token': () => ok(INVITATION) }

describe('the page of an invitation', () => {
  it('is used by keyboard alone, and says what is wrong with a password', async () => {
    const { api } = await renderPage('/invite/token', { routes })
    const password = page.getByLabelText('New password', { exact: true })
    await expect.element(password).toBeVisible()
    await focus(password)
    await userEvent.keyboard('short{Enter}')
    await expect.element(page.getByText('Too short')).toBeVisible()
    await password.fill('correct horse')
    await userEvent.keyboard('{Tab}correct house{Enter}')
    await expect.element(page.getByText('The passwords are different.')).toBeVisible()
    await userEvent.keyboard('{Tab} ') // show them
    expect(password.element().getAttribute('type')).toBe('text')
    expect(api.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it.each(['en', 'ru'] as const)(
    'is accessible and fits every screen, in every state, in %s',
    async language => {
      const check = language === 'en' ? checkAppearance : checkFit // axe reads no words
      const { route } = await renderPage('/invite/token', { routes, language })
      const submit = page.getByRole('button', { name: /Set password and sign in|Сохранить пароль и войти/ })
      await submit.click()
      await check('invite')
      route.go('/invite/nothing')
      await expect.element(submit).not.toBeInTheDocument()
      await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
      await check('invite-invalid')
    },
  )
})
