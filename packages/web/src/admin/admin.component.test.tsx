import { describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../testing/appearance.ts'
import { ok } from '../testing/fake-api.ts'
import { focus } from '../testing/home.tsx'
import { checkKeyboard } from '../testing/keyboard.ts'
import type { Size } from '../testing/render.tsx'
import { SECTIONS } from './section-names.ts'
import { oneUser } from './testing/answers.ts'
import { jobs } from './testing/meetings.ts'
import { button, dialog, isLoaded, openAdmin, row } from './testing/open-admin.ts'
import { MOST_PEOPLE } from './testing/server-state.ts'

const HEALTH = 'GET /api/v1.0/admin/health'
const navigation = page.getByRole('navigation', { name: 'Sections of the administration' })
/** A small phone, a phone, a laptop at 200 %, a tablet, laptops. */
const SIZES: readonly Size[] = [
  [320, 568],
  [390, 844],
  [720, 450],
  [1024, 768],
  [1280, 720],
  [1440, 900],
]

describe('the administration', () => {
  it('is not shown, and asks for nothing, without the capability', async () => {
    const { api } = await openAdmin('/users', { capabilities: [] })
    await expect.element(page.getByText('Page not found')).toBeVisible()
    expect(page.getByRole('link', { name: 'Admin', exact: true }).elements()).toEqual([])
    expect(api.requests.filter(({ path }) => path.includes('/admin'))).toEqual([])
  })

  it('says while the server does not answer, instead of showing that it is ready', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { api } = await openAdmin()
    await expect.element(page.getByText('Ready', { exact: true })).toBeVisible()
    const { [HEALTH]: answer } = api.routes
    api.routes[HEALTH] = () => ({ is: 'unreachable' })
    vi.advanceTimersByTime(10_000)
    const notice = page.getByRole('status').getByText('The server cannot be reached.')
    await expect.element(notice).toBeVisible()
    if (answer) api.routes[HEALTH] = answer
    vi.advanceTimersByTime(10_000)
    await expect.element(notice).not.toBeInTheDocument()
    vi.useRealTimers()
  })

  it('shows the charts of the last day, and links back to the other pages', async () => {
    const { route } = await openAdmin()
    await expect.poll(() => document.querySelectorAll('figure canvas').length).toBe(8)
    await expect.element(page.getByText(new RegExp(`at most ${MOST_PEOPLE}$`)).first()).toBeVisible()
    await checkKeyboard()
    await checkAppearance('overview', { sizes: SIZES })
    await navigation.getByRole('link', { name: 'Live sessions' }).click()
    await page.getByRole('link', { name: 'Back' }).click()
    await expect.poll(() => route.get()).toMatchObject({ page: 'admin', parts: [] })
  })
})

describe('the navigation of the administration', () => {
  it('is a list in groups beside the page, which marks the section of the page', async () => {
    await openAdmin('/recordings')
    await expect.element(row('Algebra')).toBeVisible()
    const groups = ['People', 'Meetings', 'System'].map(name =>
      page
        .getByRole('list', { name })
        .getByRole('link')
        .elements()
        .map(link => link.textContent),
    )
    expect(groups).toEqual([
      ['Users', 'Service accounts'],
      ['Live sessions', 'Partner rooms', 'Recordings', 'Transcripts'],
      ['Jobs', 'Webhooks', 'Push queue', 'Audit log'],
    ])
    await expect
      .element(navigation.getByRole('link', { name: 'Recordings' }))
      .toHaveAttribute('aria-current', 'page')
    const [list, table] = [navigation, page.getByRole('table')].map(each =>
      each.element().getBoundingClientRect(),
    )
    expect(list?.right).toBeLessThan(table?.left ?? 0)
  })

  it('is a button on phones that opens the list, and closes it on Escape and after a choice', async () => {
    const { route } = await openAdmin('/recordings', { size: [390, 844] })
    const opener = navigation.getByRole('button', { name: 'Recordings' })
    await focus(opener)
    expect(navigation.getByRole('link').elements()).toEqual([])
    await userEvent.keyboard('{Enter}')
    await expect.element(navigation.getByRole('link', { name: 'Jobs' })).toBeVisible()
    await checkAppearance('the open navigation', { sizes: SIZES.slice(0, 2) })
    await userEvent.keyboard('{Tab}{Escape}')
    await expect.element(opener).toHaveFocus()
    await opener.click()
    await navigation.getByRole('link', { name: 'Jobs' }).click()
    await expect.poll(() => route.get()).toMatchObject({ parts: ['jobs'] })
    await expect.element(navigation.getByRole('button', { name: 'Jobs' })).toBeVisible()
    expect(navigation.getByRole('link').elements()).toEqual([])
  })
})

describe('every section of the administration', () => {
  it.each(SECTIONS.map(name => [name]))(
    'is reached by keyboard, accessible and fits: %s, in Russian',
    async name => {
      await openAdmin(`/${name}`, { language: 'ru' })
      await isLoaded()
      await checkKeyboard()
      await checkAppearance(name, { sizes: SIZES })
    },
  )

  it.each([
    ['/users/carla'],
    ['/sessions/3'],
    ['/rooms/tag-0'],
    ['/recordings/job_1'],
    ['/transcripts/job_2'],
    ['/jobs/job_1'],
    ['/webhooks/wh_1'],
    ['/service-accounts/academy'],
  ])('has pages of its things that are accessible and fit: %s', async path => {
    await openAdmin(path)
    await isLoaded()
    await checkKeyboard()
    await checkAppearance(path, { sizes: SIZES })
    // The lists scroll within the page; what only screen readers read, far below, does not make the document higher.
    expect(document.documentElement.scrollHeight - innerHeight).toBe(0)
  })

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

  it.each([
    ['recording', 'Open the recording'],
    ['transcription', 'Open the transcript'],
    ['conversion', null],
  ] as const)(
    'leads from a finished job to its result, where there is a page of it: %s',
    async (kind, name) => {
      const [, job] = jobs.jobs
      const answer = () => ok({ result: 200, ...job, kind, state: 'done' })
      await openAdmin('/jobs/job_1', { routes: { 'GET /api/v1.0/admin/jobs/job_1': answer } })
      await expect.element(page.getByRole('region', { name: 'Algebra' }).getByText('Done')).toBeVisible()
      const links = page.getByRole('link', { name: /^Open the / }).elements()
      expect(links.map(each => each.textContent)).toEqual(name === null ? [] : [name])
    },
  )

  it('marks the state of a thing in its list and on its page', async () => {
    await openAdmin('/jobs/job_1')
    await expect.element(page.getByRole('region', { name: 'Algebra' }).getByText('Running')).toBeVisible()
  })
})

describe('the permissions of a user', () => {
  it('are changed without undoing what another administrator has changed meanwhile', async () => {
    const { api } = await openAdmin('/users/carla')
    const form = page.getByRole('form', { name: 'Permissions' })
    await form.getByRole('checkbox', { name: 'All recordings' }).click()
    const now = { ...oneUser, capabilities: ['jobs.recorder'] }
    api.routes['GET /api/v1.0/admin/users/carla'] = () => ok(now)
    api.routes['PATCH /api/v1.0/admin/users/carla'] = ({ body }) => ok({ ...now, ...body })
    await form.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => api.requests.find(({ method }) => method === 'PATCH')?.body)
      .toEqual({ capabilities: ['jobs.recorder', 'recordings.access'] })
    await expect.element(form.getByRole('checkbox', { name: 'Administration' })).not.toBeChecked()
    await expect.element(form.getByRole('checkbox', { name: 'Recorder' })).toBeChecked()
  })
})

describe('an account of a person who comes with a link', () => {
  it.each([['ordinary'], ['guest']] as const)(
    'has a name, and nothing with which one signs in: %s',
    async kind => {
      const person = { ...oneUser, kind, has_own_login: false, has_password: false }
      await openAdmin('/users/carla', { routes: { 'GET /api/v1.0/admin/users/carla': () => ok(person) } })
      await expect.element(page.getByRole('form', { name: 'Name' })).toBeVisible()
      expect(page.getByRole('main').getByRole('form').elements()).toHaveLength(1)
      await button(/carla/).click()
      await expect.element(button('Delete')).toBeVisible()
      await expect.element(button('Create an invitation link')).not.toBeInTheDocument()
    },
  )
})

describe('the mail address of a user', () => {
  it('is given with a new account', async () => {
    const { api } = await openAdmin('/users')
    await button('New user').click()
    await dialog.getByLabelText('Login').fill('dora')
    await dialog.getByLabelText('Mail address').fill('dora@school.example')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const post = () =>
      api.requests.find(({ method, path }) => method === 'POST' && path.endsWith('/admin/users'))
    await expect.poll(post).toMatchObject({ body: { login: 'dora', email: 'dora@school.example' } })
  })

  it('is shown, changed and removed', async () => {
    const { api } = await openAdmin('/users/carla', {
      routes: {
        'PATCH /api/v1.0/admin/users/carla': ({ body }) =>
          ok({ ...oneUser, email: (body as { email: string }).email || null }),
      },
    })
    const form = page.getByRole('form', { name: 'Mail address' })
    const field = form.getByLabelText('Mail address')
    await expect.element(field).toHaveValue('carla@school.example')
    const sent = () => api.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
    const changes = [{ email: 'c@home.example' }, { email: '' }]
    for (const [i, { email }] of changes.entries()) {
      await field.fill(email)
      await form.getByRole('button', { name: 'Save' }).click()
      await expect.poll(sent).toEqual(changes.slice(0, i + 1))
    }
    await expect.element(page.getByText('carla@school.example')).not.toBeInTheDocument()
  })
})
