import {
  breakText,
  directionOf,
  fontOf,
  SOFT_BREAK,
  type TextData,
  textLines,
  type Vector,
} from '@lectern/board'
import type { BoardPage } from '@lectern/protocol/control/client'

/** Where a text is written, in units. */
export type TextFrame = Pick<TextData, 'x' | 'y' | 'width' | 'size'>

const WIDTH = 700
const WIDTH_MIN = 200
const TEXT_MARGIN = 20

/** The frame of a new text: it begins where the page was pressed, to the right or to the left, and is on the page. */
export function newFrame(page: BoardPage, at: Vector, size: number, text: string): TextFrame {
  const isFromRight = directionOf(text.trim().split('\n')[0] ?? '') === 'rtl'
  const [marginLeft, marginRight] = isFromRight ? [TEXT_MARGIN, 0] : [0, TEXT_MARGIN]
  const space = isFromRight ? at.x - marginLeft : page.width - marginRight - at.x
  const most = Math.max(Math.round(page.width) - TEXT_MARGIN, TEXT_MARGIN)
  const width = Math.min(Math.max(Math.min(WIDTH, Math.round(space)), WIDTH_MIN), most)
  const left = isFromRight ? at.x - width : at.x
  return { x: Math.max(Math.min(left, page.width - marginRight - width), marginLeft), y: at.y, width, size }
}

/** The frame in which a text is changed: one of a single line is as wide as a new one, as it is only as wide as its letters. */
export function frameOf(page: BoardPage, data: TextData): TextFrame {
  const { x, y, width, size } = data
  if (data.text.includes(SOFT_BREAK)) return { x, y, width, size }
  const right = x + width
  if (isFromRight(data)) {
    const wide = Math.max(width, Math.min(WIDTH, right - TEXT_MARGIN))
    return { x: right - wide, y, width: wide, size }
  }
  return { x, y, width: Math.max(width, Math.min(WIDTH, page.width - x - TEXT_MARGIN)), size }
}

/** What was written in a frame, with its breaks, and no wider than its lines: nothing beside them is pressed or erased. */
export function written(text: string, frame: TextFrame): Pick<TextData, 'x' | 'width' | 'text'> {
  const measure = measureAt(frame.size)
  const broken = breakText(text, frame.width, measure)
  const lines = textLines({ ...frame, text: broken })
  const directions = new Set(lines.filter(line => line.text !== '').map(line => line.direction))
  // A text in both directions has lines at both sides.
  if (directions.size > 1) return { x: frame.x, width: frame.width, text: broken }
  const widest = Math.max(...lines.map(line => measure(line.text.trimEnd())))
  const width = Math.min(Math.max(Math.ceil(widest), 1), frame.width)
  const x = directions.has('rtl') ? frame.x + frame.width - width : frame.x
  return { x, width, text: broken }
}

const isFromRight = (data: TextData): boolean => textLines(data)[0]?.direction === 'rtl'

/** The width of a line in the font of texts. */
function measureAt(size: number): (line: string) => number {
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = fontOf(size)
  return line => context?.measureText(line).width ?? 0
}
