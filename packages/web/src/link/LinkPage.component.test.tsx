import { describe, expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { InvitationFacts } from '../link/InvitationFacts.tsx'
import { NotFoundPage } from '../not-found/NotFoundPage.tsx'
import { checkAppearance } from '../testing/appearance.ts'
import { checkKeyboard } from '../testing/keyboard.ts'
import { type RenderOptions, render } from '../testing/render.tsx'
import { noteServerTime } from '../time/server-time.ts'
import { LinkPage } from './LinkPage.tsx'
import { Link } from './link.ts'
import { REASONS, type Resolution } from './resolve.ts'
import { anInvitation, USUAL_LOOK } from './testing.ts'

interface Options extends RenderOptions {
  isPersonal?: boolean
}

async function show(resolution: Resolution, { isPersonal = true, ...options }: Options = {}) {
  const answers = [resolution]
  const link = new Link(
    async () => answers.at(-1) ?? resolution,
    () => 60_000,
  )
  await link.open()
  await render(
    <LinkPage
      link={link}
      isPersonal={isPersonal}
      open={invitation => <InvitationFacts invitation={invitation} />}
    />,
    options,
  )
  return { link, answers }
}

const heading = page.getByRole('heading', { level: 1 })

describe('the page of a link', () => {
  it.each(REASONS)('says why it does not open: %s', async reason => {
    await show({ is: 'refused', reason, code: 'link_rotated' })
    await expect.element(heading).toBeVisible()
    await expect.element(page.getByText('link_rotated')).toBeVisible()
    expect(document.title).toBe(heading.element().textContent)
    // All of them are built alike.
    if (reason === 'link_incomplete') await checkAppearance(reason)
  })

  it('has a title in the direction of the page, where Chromium draws the ellipsis of a long one', async () => {
    await show({ is: 'open', invitation: anInvitation({ title: 'Algebra, lesson 12' }) }, { language: 'ar' })
    await expect.element(heading).toHaveTextContent('Algebra, lesson 12')
    expect(getComputedStyle(heading.element()).direction).toBe('rtl')
  })

  it('says how far away a lesson is by the clock of the server: that of this machine may be a day ahead', async () => {
    const onServer = Date.now() - 86_400_000
    noteServerTime(new Date(onServer).toUTCString())
    onTestFinished(() => noteServerTime(new Date().toUTCString()))
    await show({ is: 'open', invitation: anInvitation({ startsAt: onServer + 30 * 60_000 }) })
    await expect.element(page.getByText(/in (30|29) minutes/)).toBeVisible()
  })

  it('says when a room opens that is not open yet', async () => {
    const retryAfterMs = Date.parse('2031-05-14T09:30:00Z') - Date.now()
    await show({ is: 'problem', problem: 'not_open', retryAfterMs })
    await expect.element(heading).toHaveTextContent('This room is not open yet')
    await expect.element(page.getByText(/Opens: .*14 May 2031, 11:30/)).toBeVisible()
    expect(page.getByRole('button', { name: 'Try again' }).query()).toBeNull()
  })

  it('says it by the clock of the server', async () => {
    const [onServer, opensAt] = [Date.parse('2031-05-13T09:30:00Z'), Date.parse('2031-05-14T09:30:00Z')]
    noteServerTime(new Date(onServer).toUTCString())
    onTestFinished(() => noteServerTime(new Date().toUTCString()))
    await show({ is: 'problem', problem: 'not_open', retryAfterMs: opensAt - onServer })
    await expect.element(page.getByText(/Opens: 14 May, 11:(29|30)/)).toBeVisible()
  })

  it('has the name of a partner’s brand', async () => {
    const look = { ...USUAL_LOOK, brand: 'Northern School' }
    await show({ is: 'open', invitation: anInvitation({ look }) })
    await expect.element(page.getByRole('banner').getByText('Northern School')).toBeVisible()
    expect(page.getByText('Lectern').query()).toBeNull()
  })

  it('names the meeting that it has opened before, and its time, and leads to other pages', async () => {
    const invitation = anInvitation({
      title: 'Algebra',
      startsAt: Date.parse('2031-05-14T09:30:00Z'),
      endsAt: Date.parse('2031-05-14T10:15:00Z'),
    })
    const { link, answers } = await show({ is: 'open', invitation }, { isPersonal: false })
    answers.push({ is: 'refused', reason: 'room_closed', code: 'room_closed' })
    await link.refresh()
    await expect.element(page.getByText('Algebra')).toBeVisible()
    await expect.element(page.getByText(/14 May 2031, 11:30/)).toBeVisible()
    await expect.element(page.getByRole('main').getByRole('button', { name: 'Home' })).toBeVisible()
    await checkKeyboard()
    await checkAppearance('closed meanwhile')
  })

  it('of a person leads to no other page', async () => {
    await show({ is: 'refused', reason: 'room_closed', code: null })
    await expect.element(heading).toBeVisible()
    expect(page.getByRole('button', { name: 'Home' }).elements()).toEqual([])
  })

  it('is in the language of the browser', async () => {
    await show({ is: 'refused', reason: 'room_closed', code: null }, { language: 'ru' })
    await expect.element(heading).toHaveTextContent('Комната закрыта')
    expect(document.documentElement.lang).toMatch(/^ru/)
  })

  it('says that the server cannot be reached, and retries at the press of a button', async () => {
    const { link } = await show({ is: 'problem', problem: 'unreachable', retryAfterMs: null })
    await expect.element(heading).toHaveTextContent('The server cannot be reached')
    await checkKeyboard()
    await checkAppearance('unreachable')
    let attempts = 0
    link.subscribe(() => attempts++)
    await page.getByRole('button', { name: 'Try again' }).click()
    expect(attempts).toBeGreaterThan(0)
    link.close()
  })

  it('that never was is not found', async () => {
    await render(<NotFoundPage />)
    await expect.element(heading).toHaveTextContent('Page not found')
    await checkKeyboard()
    await checkAppearance('not found')
  })
})
