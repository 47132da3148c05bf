import type { BoardElement } from '@lectern/protocol/control/client'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import type { Board } from '../room/board/model/board.ts'
import { anIndex, FakeBoard, PAGE } from '../room/board/testing.ts'
import { renderRoom } from './room.tsx'

type RoomRenderOptions = NonNullable<Parameters<typeof renderRoom>[0]>

interface BoardRenderOptions extends RoomRenderOptions {
  elements?: readonly BoardElement[]
  index?: Parameters<typeof anIndex>[0]
}

type RenderedRoom = Awaited<ReturnType<typeof renderRoom>>

interface RenderedBoard extends RenderedRoom {
  board: FakeBoard
  model: Board
}

/** A room whose board is open, with these elements on its page. */
export async function renderBoard({
  elements = [],
  index,
  ...options
}: BoardRenderOptions = {}): Promise<RenderedBoard> {
  let board: FakeBoard | undefined
  const all = await renderRoom({
    size: [1280, 800],
    isModerator: true,
    ...options,
    session: { ...options.session, board: anIndex(index) },
    prepare: prepared => {
      const made = new FakeBoard(prepared.harness.control)
      for (const each of elements) made.page().set(each.element_id, each)
      board = made
      options.prepare?.(prepared)
    },
  })
  if (!board) throw new Error('the room was not prepared')
  await expect.element(page.getByRole('img', { name: /^Page|^الصفحة/ }).first()).toBeVisible()
  const { board: model } = await all.room.board.load()
  await expect.poll(() => all.call.board.page(model.get()?.page.page_id ?? PAGE)).not.toBeNull()
  // The elements of the page are drawn, and pointers have an effect.
  await expect.poll(() => colorAt(1_595, 895)).toBe('255,255,255')
  return { ...all, board, model }
}

/** The paper of the board. */
export function paper(): HTMLElement {
  const element = document.querySelector<HTMLElement>('[data-tile="board"] [role="img"]')
  if (!element) throw new Error('no page is shown')
  return element
}

type PointerOptions = Omit<PointerEventInit, 'bubbles'>

/** Presses, moves and releases a pointer at points of the page, in units. */
export function drawOn(points: readonly (readonly [number, number])[], options: PointerOptions = {}): void {
  pointers(options, 'pointerdown', points.slice(0, 1))
  pointers(options, 'pointermove', points.slice(1))
  pointers(options, 'pointerup', points.slice(-1))
}

/** Fires events of a pointer at points of the page, in units. */
export function pointers(
  options: PointerOptions,
  type: string,
  points: readonly (readonly [number, number])[],
): void {
  const element = paper()
  const { left, top, width } = element.getBoundingClientRect()
  for (const [x, y] of points)
    element.dispatchEvent(
      new PointerEvent(type, {
        pointerId: 1,
        pointerType: 'mouse',
        button: type === 'pointermove' ? -1 : 0,
        isPrimary: true,
        ...options,
        bubbles: true,
        cancelable: true,
        clientX: left + (x * width) / 1_600,
        clientY: top + (y * width) / 1_600,
      }),
    )
}

/** The colour of a point of the page, in units, as `r,g,b`. */
export function colorAt(x: number, y: number): string {
  const canvas = paper().querySelector('canvas')
  const context = canvas?.getContext('2d')
  if (!canvas || !context) throw new Error('no canvas')
  const scale = canvas.width / 1_600
  const [red, green, blue] = context.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data
  return [red, green, blue].join(',')
}
