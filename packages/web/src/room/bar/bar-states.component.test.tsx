import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkFit } from '../../testing/appearance.ts'
import { computedColour, forceColours } from '../../testing/forced-colours.ts'
import { checkKeyboard } from '../../testing/keyboard.ts'
import { PHONE, type Size } from '../../testing/render.tsx'
import { renderRoom } from '../../testing/room.tsx'

const bar = page.getByRole('region', { name: 'Controls' })
const button = (name: string) => bar.getByRole('button', { name, exact: true }).element()
const styleOf = (name: string) => getComputedStyle(button(name))

const colourOf = (token: string) => computedColour(`var(${token})`)

describe('the colours of the bar', () => {
  it.each([
    ['in a window', [1280, 720], 'light'],
    ['in a window', [1280, 720], 'dark'],
    ['on the smallest phone', PHONE, 'light'],
    ['on the smallest phone', PHONE, 'dark'],
  ] as const)(
    '%s of %s, %s, are a wash of red for what is off, and a tint for what is open',
    async (_, size, theme) => {
      const { devices } = await renderRoom({ size, theme })
      await devices.microphone.turnOn()
      await userEvent.keyboard('c')
      await expect.poll(() => styleOf('Chat').backgroundColor).toBe(colourOf('--accent-wash'))
      await expect.poll(() => styleOf('Chat').color).toBe(colourOf('--accent'))
      await expect.poll(() => styleOf('Camera').backgroundColor).toBe(colourOf('--stop-wash'))
      await expect.poll(() => styleOf('Camera').color).toBe(colourOf('--stop'))
      await expect
        .element(bar.getByRole('button', { name: 'Microphone' }))
        .toHaveAttribute('aria-pressed', 'true')
      await expect.poll(() => styleOf('Microphone').backgroundColor).toBe(colourOf('--surface'))
      await expect.poll(() => styleOf('Leave').backgroundColor).toBe(colourOf('--stop'))
      await checkFit('the bar beside an open chat', { sizes: [size] })
    },
  )
})

it.each(['en', 'de', 'ru'] as const)('the bar of the smallest phone has whole words: %s', async language => {
  await renderRoom({ size: PHONE, language })
  const words = [...document.querySelectorAll('section button > span:nth-of-type(2)')]
  expect(words.length).toBeGreaterThanOrEqual(5)
  const cut = words.filter(each => each.scrollWidth > each.clientWidth)
  expect(cut.map(each => each.textContent)).toEqual([])
})

it.each([
  ['upright', [390, 664]],
  ['lying', [844, 340]],
] as const)('the bar of a phone has frames that do not touch: %s', async (_, size) => {
  await renderRoom({ size })
  const [one, other] = [button('Microphone'), button('Camera')].map(each => each.getBoundingClientRect())
  const gaps = [(other?.left ?? 0) - (one?.right ?? 0), (other?.top ?? 0) - (one?.bottom ?? 0)]
  expect(Math.max(...gaps)).toBeGreaterThanOrEqual(4)
})

describe('forced colours', () => {
  afterEach(() => forceColours(false))

  it('leave visible what is on, open, off, and who speaks', async () => {
    await renderRoom({ others: ['Mia Andersson', 'Ben Müller'] })
    await forceColours(true)
    expect(matchMedia('(forced-colors: active)').matches).toBe(true)
    await userEvent.keyboard('c')
    await expect.poll(() => styleOf('Chat').backgroundColor).toBe(computedColour('Highlight'))
    expect(styleOf('More').backgroundColor).not.toBe(computedColour('Highlight'))
    expect(styleOf('Camera').borderStyle).toBe('dashed')
    expect(styleOf('Leave').borderStyle).toBe('solid')
    const frames = [...document.querySelectorAll('[data-tile]')].map(each =>
      getComputedStyle(each, '::after'),
    )
    expect(frames.map(each => each.borderTopWidth)).toEqual(frames.map(() => '0px'))
    const tab = (name: RegExp) => getComputedStyle(page.getByRole('tab', { name }).element())
    expect(tab(/^Chat/).outlineColor).toBe(computedColour('Highlight'))
    expect(tab(/^Participants/).outlineStyle).toBe('none')
    document.querySelector('[data-tile]')?.setAttribute('data-speaking', '')
    expect(Number.parseFloat(frames[0]?.borderTopWidth ?? '')).toBeGreaterThan(0)
  })

  it('leave the word for leaving whole, in the longest language on the smallest phone', async () => {
    await renderRoom({ isModerator: true, size: PHONE, language: 'de' })
    await forceColours(true)
    const word = page.getByText('Verlassen', { exact: true }).first().element()
    expect(word.scrollWidth).toBeLessThanOrEqual(word.clientWidth)
  })
})

describe('a zoom of 200 %', () => {
  it.each([
    ['a window of 1280 × 720', [640, 360]],
    ['a window of 1440 × 900', [720, 450]],
    ['a window of 1920 × 1080', [960, 540]],
  ] as const)('of %s keeps everything in reach', async (_, size: Size) => {
    const { update } = await renderRoom({ isModerator: true, size })
    update('mia', { hand_raised_at_ms: 5 })
    await userEvent.keyboard('p')
    await checkKeyboard()
    await checkFit('the list of people', { sizes: [size] })
  })
})
