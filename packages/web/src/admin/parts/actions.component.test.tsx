import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../../testing/appearance.ts'
import { ok } from '../../testing/fake-api.ts'
import { focus } from '../../testing/home.tsx'
import { button, dialog, openAdmin, POST, row } from '../testing/open-admin.ts'

const ROOM = {
  result: 200,
  room_id: 1,
  external_id: 'algebra',
  tag: 'tag',
  title: 'Algebra',
  owner: 'school-backend',
  status: 'scheduled',
  live: false,
  starts_at: '2031-05-14T09:30:00Z',
  ends_at: null,
}
const menu = page.getByRole('region', { name: 'Actions: Algebra' })
const posts = (requests: readonly { method: string; path: string }[]) =>
  requests.filter(({ method }) => method === 'POST').map(({ path }) => path)

/** The page of a room, and the names of its actions. */
async function actionsOf(room: object): Promise<(string | null | undefined)[]> {
  const { unmount } = await openAdmin('/rooms/tag', {
    routes: { 'GET /api/v1.0/admin/rooms/tag': () => ok({ ...ROOM, ...room }) },
  })
  await expect.element(page.getByRole('region', { name: 'Algebra' }).first()).toBeVisible()
  const opener = button('Actions: Algebra')
  if (opener.elements().length > 0) await opener.click()
  const names = menu
    .getByRole('button')
    .elements()
    .map(each => each.firstChild?.textContent)
  await unmount()
  return names
}

describe('the actions of a thing', () => {
  it('are in a menu by keyboard; a question says what happens, and Escape does nothing', async () => {
    const { api } = await openAdmin('/rooms', { routes: { [`${POST}/rooms/tag-0/close`]: () => ok(ROOM) } })
    const before = posts(api.requests)
    await focus(button('Actions: Algebra'))
    await userEvent.keyboard('{Enter}')
    await expect.element(menu.getByText('The lesson is over')).toBeVisible()
    await checkAppearance('the menu of a room')
    await userEvent.keyboard('{Tab}{Enter}')
    await expect.element(dialog.getByText('nobody can join any more')).toBeVisible()
    const { x, width } = dialog.element().getBoundingClientRect()
    expect(x + width / 2).toBeCloseTo(innerWidth / 2, 0)
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(button('Actions: Algebra')).toHaveFocus()
    expect(posts(api.requests)).toEqual(before)
    await userEvent.keyboard('{Enter}')
    await menu.getByRole('button', { name: 'Close room' }).click()
    await dialog.getByRole('button', { name: 'Close room' }).click()
    await expect.element(page.getByText('“Algebra” is closed.')).toBeVisible()
    expect(posts(api.requests)).toEqual([...before, '/api/v1.0/admin/rooms/tag-0/close'])
  })

  it('show those that destroy something last and red', async () => {
    await openAdmin('/users/carla')
    await button('Actions: carla').click()
    const items = page.getByRole('region', { name: 'Actions: carla' }).getByRole('button')
    const colours = items.elements().map(each => getComputedStyle(each).color)
    expect(items.elements().map(each => each.textContent)).toEqual([
      'Invitation link',
      'Sign out everywhere',
      'Disable',
      'Delete',
    ])
    expect(new Set(colours.slice(1)).size).toBe(1)
    expect(colours[0]).not.toBe(colours[1])
  })

  it('close a room that is open, and cancel a meeting that has not taken place', async () => {
    expect(await actionsOf({})).toEqual(['Cancel meeting', 'Close room'])
    expect(await actionsOf({ live: true })).toEqual(['Close room'])
    expect(await actionsOf({ ends_at: '2020-05-14T09:30:00Z' })).toEqual(['Close room'])
    expect(await actionsOf({ status: 'closed' })).toEqual([])
    expect(await actionsOf({ status: 'cancelled' })).toEqual([])
  })

  it('that change nothing for good are buttons, which ask, too', async () => {
    await openAdmin('/webhooks', {
      routes: { [`${POST}/webhook-deliveries/wh_1/replay`]: () => ok({ result: 200 }) },
    })
    await button('Send again: recording:job_1').click()
    await expect.element(dialog.getByText('Send this event to school again?')).toBeVisible()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await expect.element(page.getByText('The delivery is queued.')).toBeVisible()
    expect(row('recording:job_1').elements()).toHaveLength(1)
  })
})
