import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aParticipant } from '../../call/testing/session.ts'
import { USUAL_LOOK } from '../../link/testing.ts'
import { checkAppearance } from '../../testing/appearance.ts'
import { DESKTOP, PHONE, type Size } from '../../testing/render.tsx'
import { renderRoom } from '../../testing/room.tsx'

const SIZES: readonly Size[] = [[390, 664], [360, 640], PHONE, [844, 340], [720, 405], [720, 450], DESKTOP]
const MINUTE = 60_000
const clock = page.getByRole('timer')
const header = page.getByRole('banner')
const startedAgo = (minutes: number) => ({ started_at_ms: Date.now() - minutes * MINUTE })

describe('the header', () => {
  it('says how long the lesson has lasted and still lasts, that it is recorded, and locked', async () => {
    const { control } = await renderRoom({
      isModerator: true,
      session: { ...startedAgo(23), recording: true, locked: true },
      room: { endsAt: Date.now() + 27 * MINUTE, title: 'English B1 — Unit 7: Reported speech' },
    })
    await expect.element(clock).toHaveTextContent(/^23:\d\d·27 min left$/)
    await expect.element(header.getByRole('img', { name: 'The lesson is locked' })).toBeVisible()
    await checkAppearance('header', { sizes: SIZES })
    control.updateSession({ locked: false })
    await expect.element(header.getByRole('img', { name: 'The lesson is locked' })).not.toBeInTheDocument()
  })

  it('measures by the clock of the server: that of this machine is ten minutes behind', async () => {
    const joined_at_ms = Date.now() + 10 * MINUTE
    await renderRoom({
      session: {
        started_at_ms: joined_at_ms - 23 * MINUTE,
        participants: [aParticipant('me', { joined_at_ms, hand_raised_at_ms: joined_at_ms - 2 * MINUTE })],
      },
      room: { endsAt: joined_at_ms + 27 * MINUTE },
    })
    await expect.element(clock).toHaveTextContent(/^23:\d\d·27 min left$/)
    await page.getByRole('button', { name: 'Participants' }).click()
    await expect.element(page.getByRole('region', { name: 'Hands, in order' })).toHaveTextContent(/2 min/)
  })

  it('has the name of the partner’s brand, and the room its layout', async () => {
    const look = { ...USUAL_LOOK, brand: 'Northern School', layout: 'speaker' } as const
    const { room } = await renderRoom({ room: { look } })
    await expect.element(header.getByText('Northern School')).toBeVisible()
    expect(room.layout.get()).toBe('speaker')
    await checkAppearance('brand', { sizes: SIZES })
  })

  it('has a dot between what is over and what is left, also from right to left', async () => {
    await renderRoom({
      language: 'ar',
      session: startedAgo(23),
      room: { endsAt: Date.now() + 27 * MINUTE },
    })
    const [over, dot, left] = [...clock.element().children].map(each => each.getBoundingClientRect().x)
    expect(over).toBeGreaterThan(dot as number)
    expect(dot).toBeGreaterThan(left as number)
  })

  it('warns in the last minutes', async () => {
    await renderRoom({ session: startedAgo(46), room: { endsAt: Date.now() + 4 * MINUTE } })
    const colour = getComputedStyle(clock.element()).backgroundColor
    await expect.element(clock).toHaveTextContent('4 min left')
    expect(colour).not.toBe(
      getComputedStyle(header.getByRole('button').elements()[0] as Element).backgroundColor,
    )
    await checkAppearance('last minutes')
  })

  it('shows the time alone where no end is known', async () => {
    await renderRoom({ session: startedAgo(63), room: { endsAt: null } })
    await expect.element(clock).toHaveTextContent(/^1:03:\d\d$/)
  })

  it('fades with the bar on a full screen while nothing moves, and comes back', async () => {
    const { room } = await renderRoom({ session: { recording: true } })
    const { requestFullscreen } = Element.prototype
    Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('not allowed'))
    await room.fullscreen.toggle()
    Element.prototype.requestFullscreen = requestFullscreen
    const opacityOf = (selector: string) =>
      getComputedStyle(document.querySelector(selector) as Element).opacity
    const bar = '[aria-label=Controls]'
    await expect.poll(() => opacityOf(bar)).toBe('0')
    await expect.poll(() => opacityOf('header h1')).toBe('0')
    // A notice says the same for some seconds, without the word.
    const recording = page.getByTitle('This lesson is being recorded.').filter({ hasText: /REC/ })
    await expect.element(recording).toBeVisible()
    await userEvent.keyboard('{Shift}')
    await expect.poll(() => opacityOf(bar)).toBe('1')
  })
})
