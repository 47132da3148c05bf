import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { SignInForm } from '../account/SignInForm.tsx'
import { render } from '../testing/render.tsx'

const alerts = () =>
  [...document.querySelectorAll('[role="alert"]')].map(each => each.textContent).filter(text => text !== '')

describe('a form', () => {
  it('announces the error of the first invalid field alone, and gives it the focus', async () => {
    const asked: string[] = []
    const signIn = async (login: string) => {
      asked.push(login)
      return null
    }
    await render(<SignInForm account={{ signIn }} />)
    const [login, password] = [page.getByLabelText('Username'), page.getByLabelText('Password')]
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect.element(login).toHaveFocus()
    await expect.poll(alerts).toEqual(['Enter your username.'])
    await expect.element(login).toHaveAccessibleDescription('Enter your username.')
    await expect.element(password).toHaveAccessibleDescription('Enter your password.')
    await userEvent.keyboard('anna{Enter}')
    await expect.element(password).toHaveFocus()
    await expect.poll(alerts).toEqual(['Enter your password.'])
    await userEvent.keyboard('secret{Enter}')
    await expect.poll(() => asked).toEqual(['anna'])
    expect(alerts()).toEqual([])
  })
})
