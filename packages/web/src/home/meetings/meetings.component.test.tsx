import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../../testing/appearance.ts'
import { ok } from '../../testing/fake-api.ts'
import { focus, renderHome, renderPage } from '../../testing/home.tsx'
import { checkKeyboardEverywhere } from '../../testing/keyboard.ts'
import { PHONE, type Size } from '../../testing/render.tsx'

const WALL: Size = [3840, 2160]

const aMeeting = (tag: string, title: string, parts: object = {}) => ({
  tag,
  title,
  created_at_ms: 1,
  live: false,
  join_url: `https://meet.example/conferences/${tag}`,
  entry: 'open',
  ...parts,
})
const TITLES = [
  'Monday round',
  'Algebra: quadratic equations and everything that belongs to them',
  'x'.repeat(90),
]

describe('the meetings', () => {
  it('are created with a lobby by keyboard only', async () => {
    const created = aMeeting('t', 'Interview', { entry: 'lobby' })
    const { api } = await renderHome('/meetings', {
      routes: {
        'GET /api/v1.0/conferences': () => ok({ conferences: [] }),
        'POST /api/v1.0/conferences': () => ok(created),
        'PATCH /api/v1.0/conferences/t': ({ body }) => ok({ ...created, ...body }),
      },
    })
    await focus(page.getByRole('textbox', { name: 'Title of the new meeting' }))
    await userEvent.keyboard('Interview{Tab} {Tab}{Enter}')
    const lobby = page
      .getByRole('listitem')
      .getByRole('checkbox', { name: 'Waiting room: you admit each participant' })
    await expect.element(lobby).toBeChecked()
    await focus(lobby)
    await userEvent.keyboard(' ')
    await expect.element(lobby).not.toBeChecked()
    const sent = api.requests.filter(({ method }) => ['POST', 'PATCH'].includes(method)).slice(1)
    expect(sent.map(({ body }) => body)).toMatchObject([
      { title: 'Interview', entry: 'lobby' },
      { entry: 'open' },
    ])
  })

  it('are planned in the time zone of the browser, and no end is before its start', async () => {
    const { api } = await renderHome('/meetings', {
      routes: {
        'GET /api/v1.0/conferences': () => ok({ conferences: [aMeeting('t', 'Monday round')] }),
        'PATCH /api/v1.0/conferences/t': ({ body }) => ok({ ...aMeeting('t', 'Monday round'), ...body }),
      },
    })
    await page.getByRole('button', { name: 'Plan “Monday round”' }).click()
    const [starts, ends] = [page.getByLabelText('Starts'), page.getByLabelText('Ends')]
    await expect.element(starts).toHaveFocus()
    await starts.fill('2030-09-02T10:00')
    await ends.fill('2030-09-02T09:00')
    await checkAppearance('plan')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.element(ends).toBeInvalid()
    // Clocks are put forward from 02:00 to 03:00: the start is 03:30.
    await starts.fill('2030-03-31T02:30')
    await ends.fill('2030-03-31T03:15')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.element(ends).toBeInvalid()
    await starts.fill('2030-09-02T10:00')
    await ends.fill('2030-09-02T11:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.element(starts).not.toBeInTheDocument()
    const sent = api.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
    expect(sent).toEqual([{ starts_at: '2030-09-02T08:00:00.000Z', ends_at: '2030-09-02T09:00:00.000Z' }])
  })

  it('stay planned while a time is incomplete', async () => {
    const planned = aMeeting('t', 'Monday round', { starts_at: '2030-09-02T08:00:00.000Z' })
    const { api } = await renderHome('/meetings', {
      routes: {
        'GET /api/v1.0/conferences': () => ok({ conferences: [planned] }),
        'PATCH /api/v1.0/conferences/t': ({ body }) => ok({ ...planned, ...body }),
      },
    })
    await page.getByRole('button', { name: 'Plan “Monday round”' }).click()
    const starts = page.getByLabelText('Starts')
    await expect.element(starts).toHaveFocus()
    await userEvent.keyboard('{Backspace}') // the month
    await expect.element(starts).toHaveValue('')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.element(starts).toHaveFocus()
    await starts.fill('2030-09-02T11:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.element(starts).not.toBeInTheDocument()
    const sent = api.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
    expect(sent).toEqual([{ starts_at: '2030-09-02T09:00:00.000Z', ends_at: null }])
  })

  it.each(['Start “Monday round”', 'New meeting'])('open at the press of one button: %s', async name => {
    const { api, route } = await renderHome('/meetings', {
      routes: {
        'GET /api/v1.0/conferences': () => ok({ conferences: [aMeeting('t', 'Monday round')] }),
        'POST /api/v1.0/conferences': () => ok(aMeeting('new', 'New meeting')),
      },
    })
    await page.getByRole('button', { name, exact: true }).click()
    // The router of this test knows no pages of meetings.
    await expect.poll(() => route.get().is).toBe('not-found')
    const made = api.requests.filter(({ path, method }) => method === 'POST' && path.endsWith('/conferences'))
    expect(made.map(({ body }) => body)).toEqual(
      name === 'New meeting' ? [{ title: 'New meeting', entry: 'open' }] : [],
    )
  })

  it('are reached by keyboard, accessible and fit every screen', async () => {
    const conferences = TITLES.map((title, i) => aMeeting(`t${i}`, title, { live: i === 0 }))
    await renderHome('/meetings', { routes: { 'GET /api/v1.0/conferences': () => ok({ conferences }) } })
    await expect.element(page.getByRole('button', { name: 'Rename “Monday round”' })).toBeVisible()
    await checkKeyboardEverywhere()
    await page.getByRole('button', { name: 'Rename “Monday round”' }).click()
    await checkAppearance('list')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Menu' }).click()
    await checkAppearance('menu')
  })

  it('are empty at first, and offered to nobody who is signed out', async () => {
    const home = await renderHome('/meetings', {
      routes: { 'GET /api/v1.0/conferences': () => ok({ conferences: [] }) },
    })
    await expect.element(page.getByText('No meetings yet.')).toBeVisible()
    await checkAppearance('none')
    await home.unmount()
    localStorage.clear()
    await renderPage('/meetings')
    await expect.element(page.getByText('Sign in to open this page.')).toBeVisible()
    expect([...document.querySelectorAll('h1, h2')].map(each => each.textContent)).toEqual([
      'Sign in',
      'Meet face to face',
    ])
    await checkAppearance('signed out', { sizes: [PHONE, WALL] })
  })
})
