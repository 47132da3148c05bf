import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../testing/appearance.ts'
import type { Size } from '../testing/render.tsx'
import { renderRoom } from '../testing/room.tsx'

const SIZES: readonly Size[] = [
  [1440, 900],
  [390, 664],
  [844, 340],
]
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

describe('in the first lesson a teacher finds with two presses at most', () => {
  it.each(SIZES)('how to mute a pupil, on the tile: %i × %i', async (...size) => {
    const { control, offer } = await renderRoom({ isModerator: true, others: ['Mia Andersson', 'Ben'], size })
    expect(button('Mute Mia Andersson').query()).toBeNull()
    await offer('mia', 'microphone')
    await button('Pin Mia Andersson').hover()
    await checkAppearance('a tile under the pointer')
    await button('Mute Mia Andersson').click()
    expect(control.bodies('participant.mute')).toEqual([{ participant_id: 'mia', source: 'audio' }])
  })

  it.each(SIZES)('how to let somebody in: %i × %i', async (...size) => {
    const lobby = [{ user_id: '5', display_name: 'Sam', reason: 'approval' as const, waiting_since_ms: 5 }]
    const { control } = await renderRoom({ isModerator: true, session: { lobby }, size })
    await button('Admit Sam').click()
    expect(control.bodies('lobby.admit')).toEqual([{ user_id: '5' }])
  })

  it.each(SIZES)('how to share the screen: %i × %i', async (...size) => {
    const { call } = await renderRoom({ isModerator: true, size })
    if (button('Share screen').query() === null) await button('More').click()
    await button('Share screen').click()
    await expect.poll(() => call.local.screenShare.get().on).toBe(true)
  })

  it.each(SIZES)('how to end the lesson for all, which asks: %i × %i', async (...size) => {
    await renderRoom({ isModerator: true, size })
    await button('Exit options').click()
    await button('End for everyone…').click()
    await expect.element(page.getByRole('dialog').getByText('End the lesson for everyone?')).toBeVisible()
  })
})

it('what mutes others is on no tile of a student, and on none of the own ones', async () => {
  const { offer } = await renderRoom()
  await offer('mia', 'microphone')
  await userEvent.keyboard('{Tab}')
  expect(button(/^Mute/).query()).toBeNull()
})

it('what mutes others covers no face on the small tiles of a phone', async () => {
  const { offer } = await renderRoom({
    isModerator: true,
    others: ['Mia', 'Ben', 'Zoë', 'Kofi', 'Hana', 'Amira', 'Eva'],
    size: [390, 664],
  })
  await offer('ben', 'microphone')
  const mute = button('Mute Ben').element()
  const [pressed, seen, tile] = [mute, mute.querySelector('svg'), mute.closest('[data-tile]')].map(
    each => each?.getBoundingClientRect() ?? new DOMRect(),
  ) as [DOMRect, DOMRect, DOMRect]
  expect(tile.width).toBeLessThan(176)
  expect(pressed.width).toBeGreaterThanOrEqual(36)
  expect(getComputedStyle(mute).backgroundColor).toBe('rgba(0, 0, 0, 0)')
  expect(seen.right - tile.left).toBeLessThan(0.3 * tile.width)
})
