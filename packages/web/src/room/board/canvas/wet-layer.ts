import {
  type Box,
  boundsOf,
  type Content,
  grown,
  paintedBoundsOf,
  strokeDrawing,
  union,
} from '@lectern/board'
import type { Board } from '../model/board.ts'
import type { Ink } from '../model/live-ink.ts'
import { handlesOf } from '../model/resize.ts'
import { HANDLE, paintContent, paintDrawing, paintLaser, paintSelection } from './painter.ts'

/** The line width of the frame around the selection, in units. */
const FRAME = 4

/**
 * Drawings that are not on the page yet, or never: strokes that are being drawn, the preview, the selection and laser
 * pointers.
 */
export class WetLayer {
  own: Ink | null = null
  preview: Content | null = null
  selection: Content | null = null
  readonly #board: Board
  readonly #context: CanvasRenderingContext2D
  /** The area on which the last frame has drawn. */
  #painted: Box | null = null

  constructor(board: Board, context: CanvasRenderingContext2D) {
    this.#board = board
    this.#context = context
  }

  /** `scale`: pixels in a unit. */
  paint(pageId: string, scale: number): void {
    const context = this.#context
    const { x, y, width, height } = this.#painted ?? { x: 0, y: 0, width: 0, height: 0 }
    context.clearRect(x, y, width, height)
    let box: Box | null = null
    const margin = 4 / scale
    const { ink, laser, pictures } = this.#board
    for (const each of [...ink.others(pageId), ...(this.own ? [this.own] : [])]) {
      paintDrawing(context, strokeDrawing(each.kind, each.points, each.color, each.width))
      box = union(box, grown(boxOf(each), each.width + margin))
    }
    if (this.preview) {
      paintContent(context, pictures, this.preview)
      box = union(box, grown(paintedBoundsOf(this.preview), 20 + margin))
    }
    if (this.selection) {
      const frame = grown(boundsOf(this.selection), FRAME)
      paintSelection(context, frame, handlesOf(this.selection), 1 / scale)
      box = union(box, grown(frame, HANDLE / scale + margin))
    }
    for (const at of laser.points(pageId)) {
      paintLaser(context, at)
      box = union(box, { x: at.x - 20, y: at.y - 20, width: 40, height: 40 })
    }
    this.#painted = box
  }
}

function boxOf({ points }: Ink): Box {
  let box: Box | null = null
  for (const [x, y] of points) box = union(box, { x, y, width: 0, height: 0 })
  return box ?? { x: 0, y: 0, width: 0, height: 0 }
}
