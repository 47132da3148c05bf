import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../testing/appearance.ts'
import { render } from '../testing/render.tsx'
import { Page } from '../ui/Page.tsx'
import { ConnectionCheck } from './ConnectionCheck.tsx'
import type { Route, Target } from './connection-test.ts'

const button = (name: string) => page.getByRole('button', { name })
const check = (open: () => Promise<Target>) =>
  render(
    <Page title="Algebra" status="Algebra">
      <h1>Algebra</h1>
      <ConnectionCheck open={open} />
    </Page>,
  )
const reaching = (...reached: Route[]): Target => ({
  routes: ['udp', 'tcp'],
  reach: async route => reached.includes(route),
})

describe('the connection test', () => {
  it('works by keyboard, keeps the focus, and copies a report without the address of the page', async () => {
    await check(async () => reaching('udp', 'tcp'))
    button('Check connection').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Your connection is good')).toBeVisible()
    await expect.element(button('Check connection')).toHaveFocus()
    await userEvent.keyboard('{Tab}{Enter}')
    await expect.element(button('Copy details')).toBeVisible()
    await checkAppearance('good')
    await button('Copy details').click()
    await expect.element(page.getByText('Copied.')).toBeVisible()
    const copied = await navigator.clipboard.readText()
    expect(copied).toMatch(/^UDP: available\nTCP: available\nTURN: not offered\nServer: /)
    expect(copied).not.toContain(location.href)
  })

  it.each([
    ['blocks UDP', ['tcp'], 'Your network blocks the fastest route.'],
    ['blocks all media', [], 'Your network blocks calls.'],
  ] as const)('describes a network that %s', async (_, reached, text) => {
    await check(async () => reaching(...reached))
    await button('Check connection').click()
    await expect.element(page.getByText(text)).toBeVisible()
    await checkAppearance(text)
  })

  it('reports a busy server instead of a network problem, and can be repeated', async () => {
    let isBusy = true
    await check(async () => {
      if (isBusy) throw new Error('busy')
      return reaching('udp')
    })
    await button('Check connection').click()
    await expect.element(page.getByText('The connection could not be checked.')).toBeVisible()
    isBusy = false
    await button('Check connection').click()
    await expect.element(page.getByText('Your connection is good')).toBeVisible()
  })
})
