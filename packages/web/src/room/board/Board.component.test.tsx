import { encodePoints, fontOf, type InkPoint } from '@lectern/board'
import { TEXT_WIDTHS } from '@lectern/board/testing'
import type { BoardElement } from '@lectern/protocol/control/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../../testing/appearance.ts'
import { colorAt, drawOn, paper, pointers, renderBoard } from '../../testing/board.tsx'
import { computedColour, forceColours } from '../../testing/forced-colours.ts'
import { forgetPen } from './canvas/pointers.ts'
import { aPage, PAGE } from './testing.ts'

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
const tools = page.getByRole('region', { name: 'Drawing tools' })
const WHITE = '255,255,255'
const LINE = [
  [200, 200],
  [400, 200],
  [600, 200],
] as const

const stroke = (id: string, points: readonly InkPoint[], parts: Partial<BoardElement> = {}) =>
  ({
    element_id: id,
    version: 1,
    author_id: '90',
    z: 1,
    kind: 'stroke',
    data: { points: encodePoints(points), color: '#b3261e', width: 8, duration_ms: 100 },
    ...parts,
  }) as BoardElement
const fromMia = stroke('of-mia-01', [
  [200, 500, 0],
  [400, 500, 0],
  [600, 500, 0],
])
const aText = (id: string, text: string, parts: Partial<BoardElement> = {}) =>
  ({
    element_id: id,
    version: 1,
    author_id: '90',
    z: 1,
    kind: 'text',
    data: { x: 100, y: 100, width: 600, text, size: 36, color: '#1c2a2b' },
    ...parts,
  }) as BoardElement

const dataOf = (element: BoardElement | undefined) => ({ ...element?.data }) as Record<string, unknown>

beforeEach(forgetPen)

describe('drawing', () => {
  it('puts strokes and shapes on the page, which can be undone and done again', async () => {
    const { board } = await renderBoard()
    drawOn(LINE)
    await expect.poll(() => colorAt(400, 200)).not.toBe(WHITE)
    expect(board.kinds()).toEqual(['stroke'])
    await tools.getByRole('button', { name: 'Shapes' }).click()
    await tools.getByRole('button', { name: 'Rectangle' }).click()
    drawOn([
      [800, 300],
      [900, 500],
      [1000, 600],
    ])
    await expect.poll(() => board.kinds()).toEqual(['stroke', 'rectangle'])
    await expect.poll(() => colorAt(800, 450)).not.toBe(WHITE)
    await button('Undo').click()
    await expect.poll(() => colorAt(800, 450)).toBe(WHITE)
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => board.kinds()).toEqual([])
    await expect.element(button('Undo')).toHaveAttribute('aria-disabled', 'true')
    await userEvent.keyboard('{Control>}y{/Control}')
    await expect.poll(() => board.kinds()).toEqual(['stroke'])
    // With a Russian keyboard.
    const keys = { key: 'я', code: 'KeyZ', ctrlKey: true, bubbles: true }
    for (const shiftKey of [false, true]) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { ...keys, shiftKey }))
      await expect.poll(() => board.kinds()).toEqual(shiftKey ? ['stroke'] : [])
    }
    await expect.poll(() => colorAt(400, 200)).not.toBe(WHITE)
  })

  it('erases what the eraser passes, and of a participant only the own', async () => {
    const { board } = await renderBoard({ isModerator: false, elements: [fromMia] })
    drawOn(LINE)
    await expect.poll(() => board.kinds()).toHaveLength(2)
    await button('Eraser').click()
    drawOn([
      [300, 100],
      [300, 600],
    ])
    await expect.poll(() => [...board.page().keys()]).toEqual(['of-mia-01'])
    await expect.poll(() => colorAt(400, 200)).toBe(WHITE)
    await button('Undo').click()
    await expect.poll(() => board.kinds()).toHaveLength(2)
  })

  it('moves what is selected, deletes it, and changes its colour', async () => {
    const { board } = await renderBoard({ elements: [fromMia] })
    await button('Select and move').click()
    drawOn([
      [400, 500],
      [500, 560],
      [500, 600],
    ])
    await expect.poll(() => colorAt(500, 600)).not.toBe(WHITE)
    expect(colorAt(400, 500)).toBe(WHITE)
    await button('Colour and width').click()
    await button('Green').click()
    const color = () => dataOf(board.page().get('of-mia-01')).color
    await expect.poll(color).toBe('#00785a')
    drawOn([[500, 600]])
    await userEvent.keyboard('{Delete}')
    await expect.poll(() => board.kinds()).toEqual([])
  })

  it('resizes what is selected at its handles, also with a finger beside them, and undoes it', async () => {
    const { board } = await renderBoard({
      elements: [
        {
          ...{ element_id: 'picture1', version: 1, author_id: '7', z: 1, kind: 'image' },
          data: { x: 400, y: 200, width: 400, height: 200, file_id: 'nowhere' },
        },
      ],
    })
    const data = () => board.page().get('picture1')?.data
    const before = data()
    await button('Select and move').click()
    drawOn([[600, 300]])
    await expect.element(button('Larger')).toBeVisible()
    await checkAppearance('handles')
    drawOn(
      [
        [815, 410],
        [900, 450],
        [1_015, 510],
      ],
      { pointerType: 'touch' },
    )
    await expect.poll(data).toMatchObject({ x: 400, y: 200, width: 600, height: 300 })
    await button('Undo').click()
    await expect.poll(data).toEqual(before)
    // Farther inside it is moved.
    drawOn([
      [600, 300],
      [650, 300],
    ])
    await expect.poll(data).toMatchObject({ x: 450, width: 400 })
  })

  it('shows what is moved once', async () => {
    await renderBoard({ elements: [fromMia] })
    await expect.poll(() => colorAt(400, 500)).not.toBe(WHITE)
    await button('Select and move').click()
    pointers({}, 'pointerdown', [[400, 500]])
    pointers({}, 'pointermove', [[400, 700]])
    await expect.poll(() => colorAt(400, 500)).toBe(WHITE)
    pointers({}, 'pointercancel', [[400, 700]])
    await expect.poll(() => colorAt(400, 500)).not.toBe(WHITE)
  })

  it('changes a text that is finished after another page is shown', async () => {
    const { board } = await renderBoard({
      index: { pages: [aPage(), aPage('page0002')] },
      elements: [aText('text0001', 'x = 3')],
    })
    const { x, y } = aText('text0001', '').data as { x: number; y: number }
    await button('Select and move').click()
    drawOn([[x + 10, y + 20]])
    await button('Edit text').click()
    await page.getByRole('textbox', { name: 'Text' }).fill('x = 4')
    board.change({ shown_page_id: 'page0002' })
    await expect.element(button('Page 2 of 2, Pages')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => dataOf(board.page().get('text0001')).text).toBe('x = 4')
  })

  it('keeps what was drawn of a stroke when another page is shown, on its page and above all else', async () => {
    const { board, model } = await renderBoard({
      index: { pages: [aPage(), aPage('page0002')] },
      elements: [fromMia],
    })
    pointers({}, 'pointerdown', LINE.slice(0, 1))
    pointers({}, 'pointermove', LINE.slice(1))
    board.change({ shown_page_id: 'page0002' })
    await expect.poll(() => board.kinds()).toEqual(['stroke', 'stroke'])
    expect([...board.page().values()].map(({ z }) => z)).toEqual([1, 2])
    expect(board.kinds('page0002')).toEqual([])
    await expect.poll(() => model.edits.isSaved).toBe(true)
  })

  it('lets the browser ask before the page is closed, as long as the server does not have what was drawn', async () => {
    const { control, board } = await renderBoard()
    const asks = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
    const put = control.handlers['board.put']
    let arrive = () => {}
    control.handlers['board.put'] = async (...body) => {
      await new Promise<void>(resolve => {
        arrive = resolve
      })
      return put?.(...body)
    }
    expect(asks()).toBe(false)
    drawOn(LINE)
    await expect.poll(asks).toBe(true)
    arrive()
    await expect.poll(asks).toBe(false)
    expect(board.kinds()).toEqual(['stroke'])
  })

  it('keeps what was written of a text when the board is closed meanwhile', async () => {
    const { board } = await renderBoard({ isModerator: false, elements: [fromMia] })
    await button('Text').click()
    drawOn([[300, 300]])
    await page.getByRole('textbox', { name: 'Text' }).fill('x = 3')
    board.change({ shown_page_id: null })
    await expect.poll(() => board.kinds()).toEqual(['stroke', 'text'])
    expect([...board.page().values()].map(({ z }) => z)).toEqual([1, 2])
  })

  it('writes a text where the page was pressed, with the same lines for all', async () => {
    const { board } = await renderBoard()
    await button('Text').click()
    drawOn([[900, 300]])
    const field = page.getByRole('textbox', { name: 'Text' })
    await expect.element(field).toHaveFocus()
    await field.fill('The first law says that nothing is lost, and that nothing is created')
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => board.kinds()).toEqual(['text'])
    const [text] = board.page().values()
    expect(text && dataOf(text)).toMatchObject({ text: expect.stringContaining('\u2028') })
    await expect.element(field).not.toBeInTheDocument()
  })

  it('writes texts that are as wide as their letters: beside them others are written, and nothing is erased', async () => {
    const { board } = await renderBoard()
    await button('Text').click()
    const field = page.getByRole('textbox', { name: 'Text' })
    for (const [text, x] of [
      ['x = 3', 300],
      ['س = ٣', 900],
    ] as const) {
      drawOn([[x, 300]])
      await field.fill(text)
      await userEvent.keyboard('{Escape}')
    }
    await expect.poll(() => board.kinds()).toEqual(['text', 'text'])
    const [left, right] = [...board.page().values()].map(each => each.data as { x: number; width: number })
    expect(left?.x).toBe(300)
    expect(left?.width).toBeLessThan(120)
    // From right to left, a text begins at the right side of where the page was pressed, as well.
    expect((right?.x ?? 0) + (right?.width ?? 0)).toBe(900)
    expect(right?.width).toBeLessThan(120)
    await button('Eraser').click()
    drawOn([
      [600, 250],
      [600, 350],
    ])
    drawOn([
      [320, 250],
      [320, 350],
    ])
    await expect.poll(() => board.kinds()).toEqual(['text'])
  })

  it('writes in the text that is pressed, which is not seen twice meanwhile', async () => {
    const { board } = await renderBoard({ elements: [aText('text0001', '■■■■')] })
    const isDark = () => Number(colorAt(130, 125).split(',')[0]) < 120
    const field = page.getByRole('textbox', { name: 'Text' })
    await expect.poll(isDark).toBe(true)
    await button('Text').click()
    drawOn([[130, 120]])
    await expect.element(field).toHaveValue('■■■■')
    await expect.poll(isDark).toBe(false)
    await userEvent.keyboard('{Escape}')
    await expect.poll(isDark).toBe(true)
    expect(board.kinds()).toEqual(['text'])
    // The second press on what is selected does the same.
    await button('Select and move').click()
    drawOn([[130, 120]])
    await expect.element(button('Larger')).toBeVisible()
    drawOn([[130, 120]])
    await field.fill('x = 4')
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => dataOf(board.page().get('text0001')).text).toBe('x = 4')
  })

  it('leaves Escape to an input method with an unfinished word', async () => {
    const { board } = await renderBoard()
    await button('Text').click()
    drawOn([[300, 300]])
    const field = page.getByRole('textbox', { name: 'Text' })
    await field.fill('ni')
    const element = field.element()
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true }))
    await field.fill('你好')
    expect(board.kinds()).toEqual([])
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => board.kinds()).toEqual(['text'])
  })

  it('selects nothing where the rights are taken, and on another page', async () => {
    const own = { author_id: '7' }
    const { board } = await renderBoard({ isModerator: false, elements: [aText('text0001', 'x = 3', own)] })
    await button('Select and move').click()
    drawOn([[110, 120]])
    await expect.element(button('Edit text')).toBeVisible()
    board.change({ rights: { mode: 'moderators' } })
    await expect.element(page.getByText('Page 1 of 1')).toBeVisible()
    board.change({ rights: { mode: 'everybody' } })
    await expect.element(tools).toBeVisible()
    await expect.element(page.getByText('Page 1 of 1')).toBeVisible()
  })

  it.each(TEXT_WIDTHS)('writes with the fonts of the recorder: %s', async (text, width) => {
    await renderBoard()
    const font = fontOf(40)
    await document.fonts.load(font, text)
    const context = document.createElement('canvas').getContext('2d')
    if (!context) throw new Error('no canvas')
    context.font = font
    // Browsers round widths to pixels; another font is wider by a tenth.
    expect(Math.abs(context.measureText(text).width - width)).toBeLessThan(width / 50)
  })

  it('clears the page, which can be undone', async () => {
    const { board } = await renderBoard({ elements: [fromMia, aText('text0001', 'x = 3')] })
    await tools.getByRole('button', { name: 'More' }).click()
    await button('Clear the page').click()
    await expect.poll(() => board.kinds()).toEqual([])
    await expect.poll(() => colorAt(400, 500)).toBe(WHITE)
    await button('Undo').click()
    await expect.poll(() => board.kinds()).toEqual(['stroke', 'text'])
    await expect.poll(() => colorAt(400, 500)).not.toBe(WHITE)
  })

  it('survives a reload: undo still knows what was done', async () => {
    const { board, room, storage, unmount } = await renderBoard()
    drawOn(LINE)
    await expect.poll(() => board.kinds()).toEqual(['stroke'])
    const [drawn] = board.page().values()
    await unmount()
    room.leave()
    if (!drawn) throw new Error('a stroke was expected')
    const next = await renderBoard({
      elements: [drawn],
      prepare: all => {
        for (let at = 0; at < storage.length; at++) {
          const key = storage.key(at) ?? ''
          all.storage.setItem(key, storage.getItem(key) ?? '')
        }
      },
    })
    await button('Undo').click()
    await expect.poll(() => next.board.kinds()).toEqual([])
  })
})

describe('pen and fingers', () => {
  const touch = { pointerType: 'touch' } as const
  const pen = { pointerType: 'pen', pointerId: 7, pressure: 0.6 } as const

  it('draw with one finger until a pen is seen; then fingers move the page', async () => {
    const { board } = await renderBoard()
    drawOn(LINE, touch)
    await expect.poll(() => board.kinds()).toHaveLength(1)
    drawOn(LINE, pen)
    await expect.poll(() => board.kinds()).toHaveLength(2)
    const [, second] = [...board.page().values()]
    expect(second?.kind === 'stroke' && second.data.points[2]).toBe(153)
    drawOn(LINE, { ...touch, pointerId: 3 })
    expect(board.kinds()).toHaveLength(2)
  })

  it('reject the palm while the pen writes', async () => {
    const { board } = await renderBoard()
    pointers(pen, 'pointerdown', [[200, 200]])
    drawOn(
      [
        [700, 700],
        [720, 760],
      ],
      { ...touch, pointerId: 3, width: 80, height: 90 },
    )
    pointers(pen, 'pointermove', [[400, 260]])
    pointers(pen, 'pointerup', [[400, 260]])
    await expect.poll(() => board.kinds()).toEqual(['stroke'])
    expect(paper().parentElement?.style.transform).toBe('')
  })

  it('end what the mouse or another pen draws, which stays', async () => {
    const { board } = await renderBoard()
    pointers({ pointerType: 'mouse', pointerId: 2 }, 'pointerdown', [[200, 600]])
    pointers({ pointerType: 'mouse', pointerId: 2 }, 'pointermove', [[300, 650]])
    drawOn(LINE, touch)
    await expect.poll(() => board.kinds()).toHaveLength(2)
    pointers(pen, 'pointerdown', [[200, 200]])
    pointers(pen, 'pointermove', [[400, 260]])
    drawOn(LINE, { ...pen, pointerId: 8 })
    await expect.poll(() => board.kinds()).toHaveLength(4)
  })

  it('zoom with two fingers, of which the first draws nothing', async () => {
    const { board } = await renderBoard()
    pointers({ ...touch, pointerId: 1 }, 'pointerdown', [[600, 400]])
    pointers({ ...touch, pointerId: 2 }, 'pointerdown', [[700, 400]])
    pointers({ ...touch, pointerId: 2 }, 'pointermove', [[900, 400]])
    for (const pointerId of [1, 2]) pointers({ ...touch, pointerId }, 'pointerup', [[900, 400]])
    await expect.element(button('Fit')).toBeVisible()
    expect(board.kinds()).toEqual([])
    await button('Fit').click()
    expect(paper().parentElement?.style.transform).toBe('')
  })

  it('zoom with two fingers, of which the first erases nothing', async () => {
    const { board, control } = await renderBoard({ elements: [fromMia] })
    await button('Eraser').click()
    pointers({ ...touch, pointerId: 1 }, 'pointerdown', [[400, 500]])
    pointers({ ...touch, pointerId: 2 }, 'pointerdown', [[700, 400]])
    for (const pointerId of [1, 2]) pointers({ ...touch, pointerId }, 'pointerup', [[700, 400]])
    expect(control.bodies('board.delete')).toEqual([])
    drawOn([[400, 500]], { ...touch, pointerId: 3 })
    await expect.poll(() => board.kinds()).toEqual([])
  })
})

describe('what others draw', () => {
  it('is visible while they draw it, and stays when it is stored', async () => {
    const { board, control } = await renderBoard()
    const wet = () => {
      const canvas = paper().querySelectorAll('canvas')[1]
      const scale = (canvas?.width ?? 0) / 1_600
      return canvas?.getContext('2d')?.getImageData(400 * scale, 500 * scale, 1, 1).data[3] ?? 0
    }
    control.emitSignal(
      'board.ink',
      'mia',
      {
        element_id: 'of-mia-01',
        kind: 'stroke',
        color: '#b3261e',
        width: 8,
        first_index: 0,
        points: encodePoints([
          [200, 500, 0],
          [400, 500, 0],
          [600, 500, 0],
        ]),
      },
      2_000,
      `page:1.${PAGE}`,
    )
    await expect.poll(wet).toBeGreaterThan(0)
    board.put(fromMia)
    await expect.poll(() => colorAt(400, 500)).not.toBe(WHITE)
    await expect.poll(wet).toBe(0)
  })

  it('reads their texts to screen readers, and no strokes', async () => {
    const { board } = await renderBoard()
    board.put(fromMia)
    board.put(aText('text0001', 'x = 3'))
    await expect.element(page.getByText('Mia Andersson: x = 3')).toBeInTheDocument()
  })
})

describe('a stroke that is not stored', () => {
  it('disappears with a message when it is refused', async () => {
    const { board } = await renderBoard({ isModerator: false })
    board.refusal = 'drawing_not_permitted'
    drawOn(LINE)
    await expect
      .element(page.getByText('This was removed again: you may not draw here right now.'))
      .toBeVisible()
    await expect.poll(() => colorAt(400, 200)).toBe(WHITE)
    await expect.element(button('Undo')).toHaveAttribute('aria-disabled', 'true')
  })

  it('is lighter after a while, until the server has it', async () => {
    const { control, model } = await renderBoard()
    model.tools.choose({ width: 'thick' })
    const put = control.handlers['board.put']
    let store = () => {}
    control.handlers['board.put'] = (body, target) =>
      new Promise(resolve => {
        store = () => resolve(put?.(body, target))
      })
    drawOn(LINE)
    const darkness = () => 255 - Number(colorAt(400, 200).split(',')[0])
    await expect.poll(darkness).toBeGreaterThan(200)
    await expect.poll(darkness).toBeLessThan(150)
    store()
    await expect.poll(darkness).toBeGreaterThan(200)
  })
})

describe('pages', () => {
  it('are added, shown to everybody, ordered and removed by moderators', async () => {
    const { board } = await renderBoard()
    await button('Add a page').click()
    await button('Squared').click()
    await expect.element(button('Page 2 of 2, Pages')).toBeVisible()
    expect(board.index.shown_page_id).not.toBe(PAGE)
    await button('Previous page').click()
    await expect.poll(() => board.index.shown_page_id).toBe(PAGE)
    await button('Page 1 of 2, Pages').click()
    await checkAppearance('pages', { selector: 'dialog' })
    await button('Move page 1 back').click()
    await expect.poll(() => board.index.pages[1]?.page_id).toBe(PAGE)
    await button('Remove page 1').click()
    const question = page.getByRole('dialog', { name: /^Remove page 1 / })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(board.index.pages).toHaveLength(2)
    await button('Remove page 1').click()
    await question.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(() => board.index.pages.map(each => each.page_id)).toEqual([PAGE])
  })

  it('go on being watched in small while others are moved', async () => {
    const pages = [aPage(), aPage('page0002'), aPage('page0003')]
    const { board, harness } = await renderBoard({ index: { pages } })
    const watched = () => harness.control.bodies('board.watch').length
    await button('Page 1 of 3, Pages').click()
    await expect.poll(watched).toBe(3)
    await button('Move page 2 back').click()
    await expect.poll(() => board.index.pages.map(({ page_id }) => page_id)[1]).toBe('page0003')
    // A page that becomes visible is watched with the next frame.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    expect(watched()).toBe(3)
  })

  it('are closed and opened again for everybody', async () => {
    const { board } = await renderBoard()
    await userEvent.keyboard('b')
    await expect.poll(() => board.index.shown_page_id).toBeNull()
    await expect.poll(() => document.querySelector('[data-tile="board"]')).toBeNull()
    await button('Board').click()
    await expect.poll(() => document.querySelector('[data-tile="board"]')).not.toBeNull()
  })

  it('give way to a screen that a moderator begins to share', async () => {
    const { board } = await renderBoard()
    await button('Share screen').click()
    await expect.poll(() => board.index.shown_page_id).toBeNull()
  })

  it('are handed out, and a copy is shown to everybody', async () => {
    const { board } = await renderBoard({ elements: [fromMia] })
    await tools.getByRole('button', { name: 'More' }).click()
    await button('Hand out this page').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Hand out this page' }).click()
    await expect.poll(() => board.index.pages).toHaveLength(2)
    await tools.getByRole('button', { name: 'More' }).click()
    await button('Everyone’s pages').click()
    await checkAppearance('copies', { selector: 'dialog' })
    await button('Page of Mia Andersson').click()
    await expect.element(page.getByText('Page of Mia Andersson')).toBeVisible()
    await button('Show to everyone').click()
    await expect.poll(() => board.index.shown_page_id).toBe('copy0000')
    await button('Back to the board').click()
    await expect.poll(() => board.index.shown_page_id).toBe(PAGE)
  })

  it('that were handed out are removed from one, and from all, for each page', async () => {
    const copies = [
      aPage('copy0001', { owner_id: '90', copy_of: PAGE }),
      aPage('copy0002', { owner_id: '90', copy_of: 'page0002' }),
      aPage('copy0003', { owner_id: '91', copy_of: 'page0002' }),
    ]
    const { board } = await renderBoard({ index: { pages: [aPage(), aPage('page0002'), ...copies] } })
    const ids = () => board.index.pages.map(({ page_id }) => page_id)
    await tools.getByRole('button', { name: 'More' }).click()
    await button('Everyone’s pages').click()
    const confirm = page.getByRole('button', { name: 'Remove', exact: true })
    const first = page.getByRole('region', { name: 'Page 1 of 2' })
    await first.getByRole('button', { name: 'Remove the page of Mia Andersson' }).click()
    await confirm.click()
    await expect.poll(ids).toEqual([PAGE, 'page0002', 'copy0002', 'copy0003'])
    const second = page.getByRole('region', { name: 'Page 2 of 2' })
    await second.getByRole('button', { name: 'Remove these pages' }).click()
    await confirm.click()
    await expect.poll(ids).toEqual([PAGE, 'page0002'])
    expect(board.index.shown_page_id).toBe(PAGE)
    await expect.element(page.getByText('No page is handed out.')).toBeVisible()
  })

  it('that were handed out to a participant can all be reached, and lead back when they are removed', async () => {
    const own = ['copy0001', 'copy0002'].map(id => aPage(id, { owner_id: '7', copy_of: PAGE }))
    const { board, room } = await renderBoard({ isModerator: false, index: { pages: [aPage(), ...own] } })
    await button('My page').click()
    await expect.poll(() => room.board.lookAt.get()).toBe('copy0002')
    await button('Previous page').click()
    await expect.poll(() => room.board.lookAt.get()).toBe('copy0001')
    await expect.element(button('Previous page')).toHaveAttribute('aria-disabled', 'true')
    board.change({ pages: [aPage()] })
    await expect.element(page.getByText('Page 1 of 1')).toBeVisible()
    await expect.element(button('Back to the teacher')).not.toBeInTheDocument()
  })

  it('have one that is the own of a participant', async () => {
    const own = aPage('own00001', { owner_id: '7', copy_of: PAGE })
    const { board } = await renderBoard({
      isModerator: false,
      index: { pages: [aPage(), own], rights: { mode: 'moderators' } },
    })
    expect(document.querySelector('[aria-label="Drawing tools"]')).toBeNull()
    await button('My page').click()
    await expect.element(tools).toBeVisible()
    drawOn(LINE)
    await expect.poll(() => board.kinds('own00001')).toEqual(['stroke'])
    await button('Back to the board').click()
    await expect.element(page.getByText('Page 1 of 1')).toBeVisible()
  })

  it('lead to the own one while a participant looks around', async () => {
    const own = aPage('own00001', { owner_id: '7', copy_of: PAGE })
    await renderBoard({ isModerator: false, index: { pages: [aPage(), aPage('page0002'), own] } })
    await button('Next page').click()
    const bar = page.getByRole('region', { name: 'Controls' })
    const myPage = bar.getByRole('button', { name: 'My page' })
    await expect.element(myPage).toHaveAttribute('aria-pressed', 'false')
    await myPage.click()
    await expect.element(myPage).toHaveAttribute('aria-pressed', 'true')
    await expect.element(button('Back to the board')).toBeVisible()
  })

  it('are drawn on by those whom a moderator chooses', async () => {
    const { board } = await renderBoard()
    await tools.getByRole('button', { name: 'More' }).click()
    await button('Who may draw').click()
    await page.getByRole('radio', { name: 'Chosen people' }).click()
    await page.getByRole('checkbox', { name: 'Mia Andersson' }).click()
    await expect.poll(() => board.index.rights).toEqual({ mode: 'chosen', user_ids: ['90'] })
    await checkAppearance('rights', { selector: 'dialog' })
    await page.getByText('Others may look at other pages').click()
    await expect
      .poll(() => board.index.rights)
      .toEqual({ mode: 'chosen', user_ids: ['90'], look_around: false })
  })
})

describe('forced colours', () => {
  afterEach(() => forceColours(false))

  it('leave visible which tool is on, the colours to draw with, and where the page ends', async () => {
    await renderBoard()
    await forceColours(true)
    const styleOf = (element: Element | null) => getComputedStyle(element ?? document.body)
    const tool = (isOn: boolean) =>
      styleOf(tools.element().querySelector(`[aria-pressed="${isOn}"]`)).borderTopColor
    expect(tool(true)).toBe(computedColour('Highlight'))
    expect(tool(false)).not.toBe(computedColour('Highlight'))
    expect(styleOf(paper()).outlineStyle).toBe('solid')
    await tools.getByRole('button', { name: 'Colour and width' }).click()
    const dots = [...document.querySelectorAll('fieldset:first-of-type button[aria-pressed] > span')]
    const colours = new Set(dots.map(each => styleOf(each).backgroundColor))
    expect(colours.size).toBe(dots.length)
    expect(dots.length).toBeGreaterThan(3)
  })
})

describe('without pointing', () => {
  it('lists the elements in reading order, and changes them', async () => {
    const below = aText('text0002', 'y = 5', {
      data: { ...aText('x', '').data, y: 400, text: 'y = 5' } as never,
    })
    const { board } = await renderBoard({ elements: [below, fromMia, aText('text0001', 'x = 3')] })
    await tools.getByRole('button', { name: 'More' }).click()
    await button('What is on the page').click()
    const items = () => [...document.querySelectorAll('dialog li > button')].map(each => each.textContent)
    expect(items()).toEqual(['Mia Andersson: x = 3', 'Mia Andersson: y = 5', 'Drawing by Mia Andersson'])
    await checkAppearance('elements', { selector: 'dialog' })
    await button('Mia Andersson: x = 3').click()
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('x = 4')
    await button('Save').click()
    await expect.poll(items).toContain('Mia Andersson: x = 4')
    await button('Move down').click()
    await expect.poll(() => dataOf(board.page().get('text0001')).y).toBe(150)
    await page.getByRole('combobox', { name: 'Colour' }).selectOptions('Red')
    await expect.poll(() => dataOf(board.page().get('text0001')).color).toBe('#b3261e')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(items).not.toContain('Mia Andersson: x = 4')
  })

  it('adds texts and shapes by keyboard', async () => {
    const { board } = await renderBoard()
    await tools.getByRole('button', { name: 'More' }).click()
    await button('What is on the page').click()
    await page.getByRole('textbox', { name: 'New text' }).fill('Hello')
    await userEvent.keyboard('{Enter}')
    await button('Add shape').click()
    await expect.poll(() => board.kinds()).toEqual(['text', 'rectangle'])
  })
})

it('a page with 2,000 strokes is drawn, and one more on top of it', async () => {
  const elements = Array.from({ length: 2_000 }, (_, at) => {
    const [x, y] = [(at % 50) * 30 + 20, Math.floor(at / 50) * 20 + 40]
    const points = Array.from({ length: 40 }, (_, i): InkPoint => [x + i * 0.6, y + Math.sin(i) * 5, 0])
    return stroke(`stroke-${at}`, points)
  })
  const { board } = await renderBoard({ elements })
  await expect.poll(() => colorAt(26, 40)).not.toBe(WHITE)
  drawOn(LINE.map(([x, y]) => [x, y + 650] as const))
  await expect.poll(() => colorAt(400, 850)).not.toBe(WHITE)
  expect(board.kinds()).toHaveLength(2_001)
})

it('the board has no accessibility violation, and fits at every size', async () => {
  await renderBoard({ elements: [fromMia, aText('text0001', 'x = 3')] })
  await checkAppearance('board', {
    sizes: [
      [390, 844],
      [844, 340],
      [720, 405],
      [1440, 900],
    ],
  })
  for (const each of document.querySelectorAll('[aria-label="Drawing tools"] button')) {
    const { width, height } = each.getBoundingClientRect()
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
  }
  // There everything is larger.
  await page.viewport(2560, 1440)
  const tile = document.querySelector('[data-tile="board"]')
  const isInside = (each: Element | null | undefined) => {
    const [box, around] = [each?.getBoundingClientRect(), tile?.getBoundingClientRect()]
    return box && around && box.bottom <= around.bottom + 1 && box.right <= around.right + 1
  }
  await expect.poll(() => isInside(paper())).toBe(true)
  await expect.poll(() => isInside(button('Add a page').element())).toBe(true)
})
