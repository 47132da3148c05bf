import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { createLinks } from './support/links.ts'

const lectern = useLectern()
const open = useBrowser()
let links: Awaited<ReturnType<typeof createLinks>>
beforeAll(async () => {
  links = await createLinks(lectern.client(await lectern.addAccount()))
})

const DATE = /14 May 2031/
const TIME = /11:30\s?–\s?12:15/ // in Berlin

const textOf = async (page: Page) => (await page.locator('main').textContent()) ?? ''

describe('the page of a link', () => {
  it("shows the room, its times and the teacher's name and role", async () => {
    const { page } = await open(links.teacher)
    await page.getByRole('heading', { level: 1, name: 'Algebra: quadratic equations' }).waitFor()
    const text = await textOf(page)
    expect(text).toMatch(DATE)
    expect(text).toMatch(TIME)
    expect(text).toContain('Central European Summer Time (GMT+2)')
    expect(text).toContain('Anna Petrova')
    expect(text).toContain('Teacher')
    expect(text).toContain('This link is personal.')
    expect(text).not.toContain('Mia Andersson')
    expect(await page.title()).toBe('Algebra: quadratic equations')
  })

  it("shows the student's name and role, and that a link without a person is not personal", async () => {
    const { page } = await open(links.student)
    await page.getByText('Mia Andersson').waitFor()
    const text = await textOf(page)
    expect(text).toMatch(TIME)
    expect(text).toContain('Student')
    expect(text).not.toContain('Anna Petrova')
    expect(text).not.toContain('This link is personal.')
  })

  it('shows the room but no person for the plain room link', async () => {
    const { page } = await open(links.plain)
    await page.getByRole('heading', { level: 1, name: 'Algebra: quadratic equations' }).waitFor()
    const text = await textOf(page)
    expect(text).toMatch(DATE)
    expect(text).toMatch(TIME)
    expect(text).not.toContain('Anna Petrova')
    expect(text).not.toContain('Mia Andersson')
  })

  it.each([
    ['to a closed room', 'closed', 'This room is closed', 'room_closed'],
    ['without a secret to a closed room', 'closedPlain', 'This room is closed', 'room_closed'],
    ['to a cancelled room', 'cancelled', 'This meeting was cancelled', 'room_cancelled'],
    ['that was replaced', 'rotated', 'This link was replaced', 'link_rotated'],
    ['that this server did not make', 'forged', 'This link is damaged', 'link_invalid'],
    ['that was cut', 'cut', 'This link is incomplete', 'link_invalid'],
    ['to a room that never was', 'unknown', 'This meeting does not exist', 'conference_not_found'],
  ] as const)('says what is wrong with a link %s', async (_, kind, title, code) => {
    const { page } = await open(links[kind])
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    expect(await textOf(page)).toContain(code)
    expect(await page.title()).toBe(title)
  })

  it('reports an unknown address as not found', async () => {
    const { page } = await open(`${lectern.url}/some/where`)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  })

  it('shows the same content after a reload', async () => {
    const { page } = await open(links.teacher)
    await page.getByText('Anna Petrova').waitFor()
    await page.reload()
    await page.getByText('Anna Petrova').waitFor()
    expect(page.url()).toBe(links.teacher)
  })

  it('is in Russian for a Russian browser, with local date formats', async () => {
    const { page } = await open(links.teacher, { locale: 'ru-RU', timezoneId: 'Europe/Moscow' })
    await page.getByText('Преподаватель').waitFor()
    const text = await textOf(page)
    expect(text).toContain('14 мая 2031')
    expect(text).toMatch(/12:30\s?–\s?13:15/)
    expect(await page.locator('html').getAttribute('lang')).toMatch(/^ru/)

    const { page: closed } = await open(links.closed, { locale: 'ru-RU' })
    await closed.getByRole('heading', { name: 'Комната закрыта' }).waitFor()
  })

  it('retries while the server is unreachable, and opens when it is back', async () => {
    const { page, context } = await open('about:blank')
    await context.route('**/api/**', route => route.abort('connectionrefused'))
    await page.goto(links.teacher)
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor()
    await context.unroute('**/api/**')
    await page.getByText('Anna Petrova').waitFor() // without pressing the button
  })
})
