import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { button, dialog, isLoaded, row } from '../admin/testing/open-admin.ts'
import { checkAppearance } from '../testing/appearance.ts'
import { ok, refused } from '../testing/fake-api.ts'
import { checkKeyboard } from '../testing/keyboard.ts'
import type { Size } from '../testing/render.tsx'
import { account, BASE, endpoint, OWNED, openIntegrations, replacedSecret } from './testing/answers.ts'

const SCHOOL = '/school%2F1'
const link = page.getByRole('link', { name: 'Integrations', exact: true })
/** Small phones, a laptop. */
const SIZES: readonly Size[] = [
  [320, 568],
  [360, 740],
  [1280, 720],
]

describe('the integrations', () => {
  it('are not shown, and ask for nothing, where the user owns none', async () => {
    const routes = { [OWNED]: () => ok({ result: 200, service_accounts: [] }) }
    const { api } = await openIntegrations(SCHOOL, { routes })
    await expect.element(page.getByText('Page not found')).toBeVisible()
    expect(link.elements()).toEqual([])
    expect(api.requests.filter(({ path }) => path.startsWith(BASE))).toEqual([])
  })

  it('are in the navigation of an owner, whose only service account opens at once', async () => {
    const { api, route } = await openIntegrations()
    await expect.element(link).toHaveAttribute('aria-current', 'page')
    await expect.element(page.getByText('1,234.5')).toBeVisible()
    const asked = api.requests.filter(({ path }) => path.startsWith(`${BASE}/usage`))
    expect(asked.map(({ headers }) => headers)).toEqual([{ 'lectern-service-account': 'school%2F1' }])
    await page.getByRole('navigation', { name: 'Sections of the integration' }).getByText('Rooms').click()
    await expect.poll(() => route.get()).toMatchObject({ parts: ['school/1', 'rooms'] })
  })

  it('are a list where there are several, of which a disabled one shows nothing but that', async () => {
    const both = [account, { ...account, name: 'second', enabled: false }]
    const routes = { [OWNED]: () => ok({ result: 200, service_accounts: both }) }
    const { api, route } = await openIntegrations('', { routes })
    await expect.element(row('school/1')).toBeVisible()
    await checkAppearance('list of integrations', { sizes: SIZES })
    await row('second').getByRole('link').click()
    await expect.poll(() => route.get()).toMatchObject({ parts: ['second'] })
    await expect.element(page.getByText('An administrator has disabled')).toBeVisible()
    expect(api.requests.filter(({ headers }) => headers)).toEqual([])
  })

  it('disappear at once from an open page when the user is no longer an owner', async () => {
    const { api } = await openIntegrations(`${SCHOOL}/rooms`)
    await expect.element(row('Algebra')).toBeVisible()
    api.routes[OWNED] = () => ok({ result: 200, service_accounts: [] })
    api.routes[`GET ${BASE}/rooms`] = () => refused(404, 'service_account_not_found')
    await button('Refresh').click()
    await expect.element(page.getByText('Page not found')).toBeVisible()
    expect([row('Algebra').elements(), link.elements()]).toEqual([[], []])
  })
})

describe('every page of the integrations', () => {
  it.each([
    ['/overview', 'en'],
    ['/rooms', 'de'],
    ['/rooms/lesson%2F1', 'ar'],
    ['/events', 'ar'],
    ['/endpoints', 'ru'],
    ['/endpoints/end_1', 'ar'],
    ['/endpoints/end_1/dlv_1', 'fr'],
  ] as const)('is reached by keyboard, accessible and fits: %s, in %s', async (path, language) => {
    await openIntegrations(SCHOOL + path, { language })
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await isLoaded()
    await expect.poll(() => document.querySelectorAll('main section, main table').length).toBeGreaterThan(0)
    await checkKeyboard()
    await checkAppearance(path, { sizes: SIZES })
    expect(document.documentElement.scrollHeight - innerHeight).toBe(0)
  })
})

describe('lists of the integrations', () => {
  it('begin with the newest, and go on with older ones', async () => {
    const room = { tag: 'tag-1', external_id: 'a', title: 'Algebra', status: 'closed', starts_at: null }
    const routes = {
      [`GET ${BASE}/rooms`]: ({ path }: { path: string }) =>
        ok(
          path.includes('after=')
            ? { rooms: [{ ...room, tag: 'tag-0', title: 'Botany' }], next: null }
            : { rooms: [room], next: 7 },
        ),
    }
    const { api } = await openIntegrations(`${SCHOOL}/rooms`, { routes })
    await button('Show more').click()
    await expect.element(row('Botany')).toBeVisible()
    const asked = api.requests.map(({ path }) => path).filter(path => path.startsWith(`${BASE}/rooms`))
    expect(asked).toEqual([`${BASE}/rooms?order=desc`, `${BASE}/rooms?order=desc&after=7`])
  })

  it('filter events by type, and show their content', async () => {
    const { api } = await openIntegrations(`${SCHOOL}/events`)
    await button(/^Show content/).click()
    await expect.element(dialog.getByRole('region', { name: 'Content' })).toHaveTextContent('"sequence": 2')
    await checkAppearance('content of an event', { sizes: SIZES })
    await userEvent.keyboard('{Escape}')
    await userEvent.selectOptions(page.getByLabelText('Event', { exact: true }), 'room.ended')
    const asked = () => api.requests.map(({ path }) => path)
    await expect.poll(asked).toContain(`${BASE}/events?order=desc&type=room.ended`)
  })

  it('have the events of a room on its page', async () => {
    const { api } = await openIntegrations(`${SCHOOL}/rooms/lesson%2F1`)
    await expect.element(page.getByRole('table', { name: 'Events' })).toBeVisible()
    for (const name of ['Participants', 'People', 'Recordings'])
      await expect.element(page.getByRole('table', { name })).toBeVisible()
    expect(api.requests.map(({ path }) => path)).toContain(`${BASE}/events?order=desc&room=lesson%2F1`)
  })
})

describe('an endpoint', () => {
  const bodies = (api: { requests: readonly { method: string; body?: unknown }[] }, method: string) =>
    api.requests.filter(each => each.method === method).map(({ body }) => body)

  it('is added with the events that it wants, and its secret is shown once', async () => {
    const { api } = await openIntegrations(`${SCHOOL}/endpoints`, {
      routes: { [`POST ${BASE}/endpoints`]: () => ok({ ...endpoint, secret: 'whsec_1' }) },
    })
    await button('New endpoint').click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    const url = dialog.getByLabelText('URL')
    await expect.element(url).toHaveAccessibleDescription(/begins with https/)
    await checkAppearance('new endpoint', { sizes: SIZES })
    await url.fill('https://partner.example/events')
    for (const box of dialog.getByRole('checkbox').elements().slice(1)) await userEvent.click(box)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect.element(dialog.getByLabelText('Secret of the endpoint')).toHaveValue('whsec_1')
    expect(bodies(api, 'POST').at(-1)).toEqual({
      url: 'https://partner.example/events',
      description: null,
      events: ['room.started'],
    })
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await button('New endpoint').click()
    expect(document.body.textContent).not.toContain('whsec_1')
  })

  it('is changed, disabled, tested and removed, and sends deliveries again', async () => {
    const path = `${BASE}/endpoints/end_1`
    const done = () => ok({ result: 200, ...endpoint })
    const { api, route } = await openIntegrations(`${SCHOOL}/endpoints/end_1`, {
      routes: {
        [`PATCH ${path}`]: done,
        [`POST ${path}/test`]: done,
        [`POST ${path}/deliveries/dlv_1/replay`]: done,
        [`DELETE ${path}`]: done,
      },
    })
    const choose = async (name: string) => {
      await button(/^Actions/).click()
      await button(name).click()
    }
    await choose('Change endpoint')
    await dialog.getByLabelText('Description').fill('Timetable')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await choose('Disable')
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await button('Send test event').click()
    await dialog.getByRole('button', { name: 'Send test event' }).click()
    await button(/^Send again/).click()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await choose('Delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => route.get()).toMatchObject({ parts: ['school/1', 'endpoints'] })
    const writes = api.requests.filter(({ method, path: to }) => method !== 'GET' && to.startsWith(BASE))
    expect(writes.map(({ method, path: to }) => `${method} ${to}`)).toEqual([
      `PATCH ${path}`,
      `PATCH ${path}`,
      `POST ${path}/test`,
      `POST ${path}/deliveries/dlv_1/replay`,
      `DELETE ${path}`,
    ])
    expect(bodies(api, 'PATCH')).toEqual([
      { url: endpoint.url, description: 'Timetable', events: endpoint.events },
      { enabled: false },
    ])
  })
})

describe('the client secret', () => {
  it('is replaced with an overlap, shown once, and the one before is revoked', async () => {
    const { api } = await openIntegrations(SCHOOL, {
      routes: {
        [`POST ${BASE}/client-secret/rotate`]: () => ok({ ...replacedSecret, client_secret: 'new-secret' }),
        [`POST ${BASE}/client-secret/rotate/finish`]: () => ok(replacedSecret),
      },
    })
    await button('New client secret').click()
    await userEvent.selectOptions(dialog.getByLabelText('Previous secret'), 'hour')
    await checkAppearance('new client secret', { sizes: SIZES })
    api.routes[`GET ${BASE}/client-secret`] = () => ok(replacedSecret)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect.element(dialog.getByLabelText('Client secret')).toHaveValue('new-secret')
    expect(
      api.requests.find(({ method, path }) => method === 'POST' && path.endsWith('rotate'))?.body,
    ).toEqual({
      overlap_seconds: 3_600,
    })
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await button('Revoke the previous secret').click()
    await dialog.getByRole('button', { name: 'Revoke the previous secret' }).click()
    await expect.element(page.getByText('The previous secret is revoked.')).toBeVisible()
    expect(document.body.textContent).not.toContain('new-secret')
  })
})
