import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../../testing/appearance.ts'
import { ok, refused } from '../../testing/fake-api.ts'
import { focus } from '../../testing/home.tsx'
import { recordings } from '../testing/meetings.ts'
import { button, openAdmin, row } from '../testing/open-admin.ts'

const GET = 'GET /api/v1.0/admin'
const headings = () =>
  page
    .getByRole('columnheader')
    .elements()
    .map(each => each.textContent)

describe('a list of the administration', () => {
  it('names things by title and external id before their code, also after they were deleted', async () => {
    const { route } = await openAdmin('/jobs')
    await expect.element(row('Deleted meeting').getByText('The disk is full.')).toBeVisible()
    expect(headings().slice(0, 2)).toEqual(['Title', 'External ID'])
    expect(headings().slice(-2)).toEqual(['Code', 'Actions'])
    await row('recorder-1').first().getByRole('link', { name: 'Algebra' }).click()
    await expect.poll(() => route.get()).toMatchObject({ parts: ['jobs', 'job_1'] })
  })

  it('opens the page of a row by a click on the row and by keyboard, but not when its text is selected', async () => {
    const { route } = await openAdmin('/rooms')
    const code = row('tag-1').getByText('tag-1')
    await code.click()
    await expect.poll(() => route.get()).toMatchObject({ parts: ['rooms', 'tag-1'] })
    route.go('/admin/rooms')
    await expect.element(code).toBeVisible()
    getSelection()?.selectAllChildren(code.element())
    ;(code.element() as HTMLElement).click()
    expect(route.get()).toMatchObject({ parts: ['rooms'] })
    await focus(page.getByRole('link', { name: 'Algebra' }))
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => route.get()).toMatchObject({ parts: ['rooms', 'tag-0'] })
  })

  it('says when it fails, can be loaded again, and says how to get something when it is empty', async () => {
    const { api } = await openAdmin('/jobs', { routes: { [`${GET}/jobs`]: () => ({ is: 'unreachable' }) } })
    await expect.element(page.getByText('The server cannot be reached.')).toBeVisible()
    api.routes[`${GET}/jobs`] = () => ok({ result: 200, jobs: [], next: null })
    await button('Try again').click()
    await expect.element(page.getByText('A job appears here when a recording')).toBeVisible()
    await checkAppearance('an empty list')
  })

  it('is taken away from who has lost the permission, and says so', async () => {
    const { api } = await openAdmin('/rooms')
    await expect.element(row('Algebra')).toBeVisible()
    api.routes[`${GET}/rooms`] = () => refused(403, 'permission_denied')
    await button('Refresh').click()
    await expect.element(page.getByText('You no longer have the permission to do this.')).toBeVisible()
    expect(row('Algebra').elements()).toEqual([])
  })

  it('says when it does not know what belongs to a thing', async () => {
    const { api } = await openAdmin('/rooms/tag-0', {
      routes: { [`${GET}/recordings`]: () => refused(503, 'temporarily_unavailable') },
    })
    const part = page.getByRole('region', { name: 'Recordings' })
    await expect.element(part.getByText('The server could not do this. Try again later.')).toBeVisible()
    api.routes[`${GET}/recordings`] = () => ok(recordings)
    await part.getByRole('button', { name: 'Try again' }).click()
    await expect.element(part.getByRole('link').first()).toBeVisible()
  })

  it('says that nothing matches a search or a filter, and shows everything again', async () => {
    const nothing = { result: 200, recordings: [], next: null }
    const routes = {
      [`${GET}/recordings`]: ({ path }: { path: string }) =>
        ok(path.includes('search=') ? nothing : recordings),
    }
    await openAdmin('/recordings', { routes })
    await page.getByRole('searchbox', { name: 'Search title, ID or code' }).fill('nothing')
    await expect.element(page.getByText('Nothing matches the search and the filters.')).toBeVisible()
    await button('Clear search and filters').click()
    await expect.element(row('Algebra')).toBeVisible()
  })

  it('shows what belongs to a room on its page', async () => {
    const { api } = await openAdmin('/rooms/tag-0')
    for (const name of ['Live sessions', 'Recordings', 'Transcripts', 'Jobs', 'History'])
      await expect.element(page.getByRole('region', { name })).toBeVisible()
    const asked = api.requests.map(({ path }) => path)
    expect(asked).toContain('/api/v1.0/admin/recordings?conference=tag-0')
    await page.getByRole('region', { name: 'Recordings' }).getByRole('link').first().click()
    await expect.element(page.getByRole('region', { name: 'Algebra' }).getByText('Complete')).toBeVisible()
  })
})
