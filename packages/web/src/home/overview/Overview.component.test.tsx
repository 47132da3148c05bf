import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aCall } from '../../calls/testing/call.ts'
import { checkAppearance } from '../../testing/appearance.ts'
import { ok } from '../../testing/fake-api.ts'
import { renderHome } from '../../testing/home.tsx'
import { checkKeyboard } from '../../testing/keyboard.ts'

const meeting = (tag: string, title: string, live = false, starts_at: string | null = null) => ({
  tag,
  title,
  created_at_ms: 1,
  live,
  starts_at,
  join_url: `https://meet.example/conferences/${tag}`,
  entry: 'open',
})
const recording = {
  recording_id: 'r1',
  tag: 't',
  title: 'Weekly review',
  status: 'completed',
  profile: 'consolidated_native',
  started_at_ms: 1_700_000_000_000,
  duration_ms: 600_000,
  size: 12_000_000,
  transcript: 'ready',
  poster_blob_id: null,
}
const missed = aCall('c1', {
  state: 'ended',
  reason: 'missed',
  ended_at_ms: 46_000,
  people: [{ user_id: '7', display_name: 'Anna', state: 'missed' }],
})

describe('the start of a user', () => {
  it('has own meetings, those that take place first, missed calls and the last recordings in one view', async () => {
    const { route } = await renderHome('/', {
      routes: {
        'GET /api/v1.0/conferences': () =>
          ok({
            conferences: [
              meeting('a', 'Algebra'),
              meeting('p', 'Physics', false, new Date(Date.now() + 3_600_000).toISOString()),
              meeting('b', 'Biology', true),
            ],
          }),
        'GET /api/v1.0/me/recordings': () =>
          ok({ result: 200, recordings: [recording], next: null, unfinished: [] }),
      },
      commands: {
        'call.list': () => ({ calls: [missed, aCall('c2', { state: 'ended' })], has_more: false }),
      },
    })
    await expect.element(page.getByRole('button', { name: 'New meeting' })).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Weekly review' })).toBeVisible()
    const calls = page.getByRole('region', { name: 'Missed calls' })
    await expect.poll(() => calls.getByRole('listitem').elements().length).toBe(1)
    await checkKeyboard()
    await checkAppearance('start')
    const meetings = page.getByRole('region', { name: 'Your meetings' }).getByRole('listitem')
    expect(meetings.elements().map(each => each.textContent)).toEqual([
      'BiologyJoin',
      expect.stringMatching(/^Physics.*\d:\d\d.*Start$/),
      'AlgebraStart',
    ])
    page.getByRole('button', { name: 'Start “Algebra”' }).element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => route.get()).toMatchObject({ is: 'not-found' })
  })

  it('is above the chats on phones, and gives way to a search', async () => {
    await renderHome('/', {
      size: [390, 844],
      routes: {
        'GET /api/v1.0/conferences': () =>
          ok({ conferences: [meeting('a', 'Algebra'), meeting('b', 'Biology')] }),
        'GET /api/v1.0/me/recordings': () =>
          ok({ result: 200, recordings: [recording], next: null, unfinished: [] }),
      },
      commands: { 'call.list': () => ({ calls: [missed], has_more: false }) },
    })
    const start = page.getByRole('button', { name: 'Start “Algebra”' })
    await expect.element(start).toBeVisible()
    await expect.element(page.getByRole('region', { name: 'Missed calls' })).toBeVisible()
    // Whatever the user has, the chats begin in view; the recordings are below them.
    const chats = page.getByText('No chats yet')
    const top = () => chats.element().getBoundingClientRect().top
    const end = () => page.getByRole('navigation').element().getBoundingClientRect().top
    expect(top()).toBeLessThan(end() - 40)
    const last = page.getByRole('link', { name: 'Weekly review' })
    expect(last.element().getBoundingClientRect().top).toBeGreaterThan(top())
    await checkKeyboard()
    await checkAppearance('start on a phone')
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('Ben')
    await expect.element(start).not.toBeInTheDocument()
  })

  it('has at once what it had before when it is shown again', async () => {
    let answer: ReturnType<typeof ok> | Promise<never> = ok({ conferences: [meeting('a', 'Algebra')] })
    const { route } = await renderHome('/', { routes: { 'GET /api/v1.0/conferences': () => answer } })
    const start = page.getByRole('button', { name: 'Start “Algebra”' })
    await expect.element(start).toBeVisible()
    answer = new Promise(() => {})
    route.go('/contacts')
    await expect.element(start).not.toBeInTheDocument()
    route.go('/')
    await expect.element(start).toBeVisible()
  })

  it('has no empty parts', async () => {
    await renderHome('/')
    await expect.element(page.getByRole('button', { name: 'New meeting' })).toBeVisible()
    expect(page.getByRole('region', { name: 'Missed calls' }).query()).toBeNull()
    await checkAppearance('first start')
  })
})
