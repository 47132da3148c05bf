import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../testing/appearance.ts'
import { ok } from '../testing/fake-api.ts'
import { renderHome } from '../testing/home.tsx'
import { checkKeyboard } from '../testing/keyboard.ts'
import { SECTIONS } from './sections.ts'
import { adminRoutes, MOST_PEOPLE, rotatingWebhook } from './testing/answers.ts'

const openAdmin = (path = '', options: Parameters<typeof renderHome>[1] = {}) =>
  renderHome(`/admin${path}`, {
    capabilities: ['admin'],
    ...options,
    routes: { ...adminRoutes(), ...options.routes },
  })

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const row = (text: string) => page.getByRole('row').filter({ hasText: text })
const POST = 'POST /api/v1.0/admin'

/** Nothing is loading any more. */
const isLoaded = () =>
  expect.poll(() => document.querySelector('main')?.textContent).not.toMatch(/Loading|Загружаем|نحمّل/)

describe('the administration', () => {
  it('is not shown, and asks for nothing, without the capability', async () => {
    const { api } = await openAdmin('/users', { capabilities: [] })
    await expect.element(page.getByText('Page not found')).toBeVisible()
    expect(page.getByRole('link', { name: 'Admin', exact: true }).elements()).toEqual([])
    expect(api.requests.filter(({ path }) => path.includes('/admin'))).toEqual([])
  })

  it('shows the charts of the last day, and links back to the other pages', async () => {
    const { route } = await openAdmin()
    await expect.poll(() => document.querySelectorAll('figure canvas').length).toBe(8)
    await expect.element(page.getByText(new RegExp(`at most ${MOST_PEOPLE}$`)).first()).toBeVisible()
    await checkKeyboard()
    await checkAppearance('overview')
    await page.getByRole('link', { name: 'Live sessions' }).click()
    await page.getByRole('link', { name: 'Back' }).click()
    await expect.poll(() => route.get()).toMatchObject({ page: 'admin', parts: [] })
  })

  it('shows an empty list and an error, after which the list can be loaded again', async () => {
    const { api } = await openAdmin('/jobs', {
      routes: { 'GET /api/v1.0/admin/jobs': () => ({ is: 'unreachable' }) },
    })
    await expect.element(page.getByText('The server cannot be reached.')).toBeVisible()
    api.routes['GET /api/v1.0/admin/jobs'] = () => ok({ result: 200, jobs: [], next: null })
    await button('Try again').click()
    await expect.element(page.getByText('No jobs match.')).toBeVisible()
  })

  it('asks before an action, in the middle of the page, and does nothing on Escape', async () => {
    const { api } = await openAdmin('/webhooks', {
      routes: { [`${POST}/webhook-deliveries/wh_1/replay`]: () => ok({ result: 200 }) },
    })
    await button('Send again: recording:job_1').click()
    await expect.element(dialog.getByText('Send this event to school again?')).toBeVisible()
    const { x, width } = dialog.element().getBoundingClientRect()
    expect(x + width / 2).toBeCloseTo(innerWidth / 2, 0)
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    expect(api.requests.filter(({ method }) => method === 'POST')).toHaveLength(1) // the sign-in
    await button('Send again: recording:job_1').click()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await expect.element(page.getByText('The delivery is queued.')).toBeVisible()
  })

  it('requires a scope of a service account', async () => {
    await openAdmin('/service-accounts')
    await button('New service account').click()
    await dialog.getByLabelText('Name').fill('college')
    await dialog.getByLabelText('Login of the technical user').fill('school-backend')
    for (const scope of dialog.getByRole('group', { name: 'Scopes' }).getByRole('checkbox').elements())
      if ((scope as HTMLInputElement).checked) await userEvent.click(scope)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect.element(dialog.getByRole('alert').getByText('Choose at least one scope.')).toBeVisible()
    await checkAppearance('new service account')
  })

  it('shows secrets in a dialog that fits', async () => {
    const webhook = { ...rotatingWebhook, secret: 's'.repeat(43) }
    await openAdmin('/service-accounts/academy', {
      routes: {
        'GET /api/v1.0/admin/service-accounts/academy/webhook': () => ok(rotatingWebhook),
        [`${POST}/service-accounts/academy/webhook/rotate`]: () => ok(webhook),
      },
    })
    await expect.element(page.getByText('valid until')).toBeVisible()
    await checkAppearance('rotation')
  })
})

describe('every section of the administration', () => {
  it.each(SECTIONS.map(name => [name]))(
    'is reached by keyboard, accessible and fits: %s, in Russian',
    async name => {
      await openAdmin(`/${name}`, { language: 'ru' })
      await isLoaded()
      await checkKeyboard()
      await checkAppearance(name)
    },
  )

  it.each([['/users/carla'], ['/sessions/3'], ['/webhooks/wh_1'], ['/service-accounts/academy']])(
    'has details that are accessible and fit: %s',
    async path => {
      await openAdmin(path)
      await isLoaded()
      await checkAppearance(path)
      // The lists scroll within the page; what only screen readers read, far below, does not make the document higher.
      expect(document.documentElement.scrollHeight - innerHeight).toBe(0)
    },
  )

  it('begins texts of another direction below their heading', async () => {
    await openAdmin('/service-accounts/academy', { language: 'ar' })
    const table = page.getByRole('table', { name: 'الغرف' })
    await expect.element(table).toBeVisible()
    const rightEdge = (element: Element) => {
      const range = document.createRange()
      range.selectNodeContents(document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Node)
      return Math.round(range.getBoundingClientRect().right)
    }
    const above = table.getByRole('columnheader', { name: 'المعرّف الخارجي' }).element()
    const below = row('algebra').getByRole('cell', { name: 'algebra', exact: true }).element()
    expect(rightEdge(below)).toBe(rightEdge(above))
  })
})
