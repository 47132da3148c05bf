import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../../testing/appearance.ts'
import { ok, refused } from '../../testing/fake-api.ts'
import { rotatingWebhook } from '../testing/answers.ts'
import { button, dialog, openAdmin, POST } from '../testing/open-admin.ts'

const bodyOf = (requests: readonly { method: string; path: string; body?: unknown }[]) =>
  requests.findLast(({ method, path }) => method === 'POST' && path.endsWith('/service-accounts'))?.body

describe('a new service account', () => {
  it('is created with its technical user in one dialog, which shows the secret once', async () => {
    const { api } = await openAdmin('/service-accounts', {
      routes: { [`${POST}/service-accounts`]: () => ok({ result: 200, client_secret: 'k'.repeat(43) }) },
    })
    await button('New service account').click()
    await userEvent.keyboard('College')
    await expect.element(dialog.getByLabelText('Login of the technical user')).toHaveValue('college-backend')
    await checkAppearance('new service account')
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog.getByLabelText('Client secret')).toHaveValue('k'.repeat(43))
    const scopes = ['integration:rooms', 'blob']
    expect(bodyOf(api.requests)).toEqual({
      name: 'College',
      login: 'college-backend',
      scopes,
      create_user: true,
    })
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await button('New service account').click()
    await expect.element(dialog.getByLabelText('Name', { exact: true })).toHaveValue('')
  })

  it.each([
    ['Школа', 'backend'],
    ['École-2', 'ecole-2-backend'],
  ])('proposes a login that the server accepts: %s', async (name, login) => {
    await openAdmin('/service-accounts')
    await button('New service account').click()
    await dialog.getByLabelText('Name', { exact: true }).fill(name)
    await expect.element(dialog.getByLabelText('Login of the technical user')).toHaveValue(login)
  })

  it('can belong to a technical user that exists', async () => {
    const { api } = await openAdmin('/service-accounts', {
      routes: { [`${POST}/service-accounts`]: () => ok({ result: 200, client_secret: 'secret' }) },
    })
    await button('New service account').click()
    await userEvent.keyboard('college')
    await userEvent.selectOptions(dialog.getByLabelText('Technical user', { exact: true }), 'existing')
    await dialog.getByLabelText('Login of the technical user').fill('school-backend')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect.element(dialog.getByLabelText('Client secret')).toBeVisible()
    expect(bodyOf(api.requests)).not.toHaveProperty('create_user')
  })

  it('requires a scope', async () => {
    await openAdmin('/service-accounts')
    await button('New service account').click()
    await userEvent.keyboard('college')
    for (const scope of dialog.getByRole('group', { name: 'Scopes' }).getByRole('checkbox').elements())
      if ((scope as HTMLInputElement).checked) await userEvent.click(scope)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect.element(dialog.getByRole('alert').getByText('Choose at least one scope.')).toBeVisible()
  })
})

describe('a service account', () => {
  it('gets scopes without undoing what another administrator has changed meanwhile', async () => {
    const { api } = await openAdmin('/service-accounts', {
      routes: {
        'PATCH /api/v1.0/admin/service-accounts/academy': () => ok({ result: 200 }),
        'GET /api/v1.0/admin/service-accounts/academy': () =>
          ok({ result: 200, name: 'academy', scopes: [] }),
      },
    })
    await button('Actions: academy').click()
    await button('Change scopes').click()
    const boxes = dialog.getByRole('group', { name: 'Scopes' }).getByRole('checkbox')
    const unticked = () => boxes.elements().filter(each => !(each as HTMLInputElement).checked)
    const [added] = unticked()
    await userEvent.click(added as Element)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => api.requests.find(({ method }) => method === 'PATCH')?.body)
      .toEqual({ scopes: [expect.any(String)] })
  })

  it('says how long recordings are kept', async () => {
    const { api } = await openAdmin('/service-accounts', {
      routes: { 'PATCH /api/v1.0/admin/service-accounts/academy': () => ok({ result: 200 }) },
    })
    const patches = () => api.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
    const open = async () => {
      await button('Actions: academy').click()
      await button('Keep recordings…').click()
      return dialog.getByLabelText('Days (empty: never)')
    }
    const field = await open()
    await expect.element(field).toHaveValue('90')
    await checkAppearance('keep recordings')
    for (const wrong of ['0', '3651', '1.5', 'x']) {
      await field.fill(wrong)
      await userEvent.keyboard('{Enter}')
      await expect.element(field).toHaveAccessibleDescription('Enter 1 to 3650 days, or nothing.')
    }
    await field.fill('30')
    await userEvent.keyboard('{Enter}')
    await expect.poll(patches).toEqual([{ keep_days: 30 }])
    await (await open()).fill('')
    await userEvent.keyboard('{Enter}')
    await expect.poll(patches).toEqual([{ keep_days: 30 }, { keep_days: null }])
  })
})

describe('the console of a service account', () => {
  it('makes people its owners, and ends that', async () => {
    const path = '/api/v1.0/admin/service-accounts/academy/owners'
    const done = () => ok({ result: 200 })
    const { api } = await openAdmin('/service-accounts/academy', {
      routes: {
        [`PUT ${path}/ghost`]: () => refused(404, 'user_not_found'),
        [`PUT ${path}/carla`]: done,
        [`DELETE ${path}/olga`]: done,
      },
    })
    await button('Add owner').click()
    await checkAppearance('add owner')
    await dialog.getByLabelText('Login').fill('ghost')
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog.getByText('There is no such user.')).toBeVisible()
    await dialog.getByLabelText('Login').fill('carla')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('carla is an owner.')).toBeVisible()
    await button('Actions: Owners').click()
    await button('Remove olga').click()
    await dialog.getByRole('button', { name: 'Remove olga' }).click()
    await expect.element(page.getByText('olga is no longer an owner.')).toBeVisible()
    const writes = api.requests.filter(({ path: to }) => to.startsWith(path))
    expect(writes.map(({ method, path: to }) => `${method} ${to}`)).toEqual([
      `PUT ${path}/ghost`,
      `PUT ${path}/carla`,
      `DELETE ${path}/olga`,
    ])
  })

  it('shows secrets in a dialog that fits', async () => {
    const webhook = { ...rotatingWebhook, secret: 's'.repeat(43) }
    const path = '/service-accounts/academy/webhook'
    const { api } = await openAdmin('/service-accounts/academy', {
      routes: { [`${POST}${path}/rotate`]: () => ok(webhook) },
    })
    await button('Replace secret').click()
    api.routes[`GET /api/v1.0/admin${path}`] = () => ok(rotatingWebhook)
    await dialog.getByRole('button', { name: 'Replace secret' }).click()
    await expect.element(dialog.getByLabelText('New webhook secret')).toHaveValue('s'.repeat(43))
    await checkAppearance('rotation')
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByText('valid until')).toBeVisible()
  })
})
