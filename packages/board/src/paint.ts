import type { BoardPage } from '@lectern/protocol/control/client'
import { type Drawing, drawingsOf } from './drawing.ts'
import type { Content } from './element.ts'
import { fontOf } from './fonts.ts'
import { type Box, overlaps } from './geometry.ts'
import type { PathSink } from './path.ts'

/** The canvas context on which a page is painted, of a browser or of the recorder. */
export interface PaintContext extends PathSink {
  globalAlpha: number
  fillStyle: unknown
  font: string
  direction: 'ltr' | 'rtl' | 'inherit'
  textAlign: 'left' | 'right' | 'center' | 'start' | 'end'
  beginPath(): void
  fill(): void
  fillRect(x: number, y: number, width: number, height: number): void
  fillText(text: string, x: number, y: number): void
}

/** Draws an element in units, except images, which are the caller's. */
export function paintContent(context: PaintContext, content: Content): void {
  for (const drawing of drawingsOf(content)) paintDrawing(context, drawing)
}

export function paintDrawing(context: PaintContext, drawing: Drawing): void {
  if (drawing.is === 'path') {
    context.globalAlpha = drawing.opacity
    context.fillStyle = drawing.color
    context.beginPath()
    drawing.trace(context)
    context.fill()
    context.globalAlpha = 1
  } else if (drawing.is === 'text') paintText(context, drawing)
}

export function paintText(context: PaintContext, drawing: Extract<Drawing, { is: 'text' }>): void {
  context.fillStyle = drawing.color
  context.font = fontOf(drawing.size)
  for (const { text, x, y, direction } of drawing.lines) {
    context.direction = direction
    context.textAlign = 'start'
    context.fillText(text, x, y)
  }
}

/** Paper is white in every theme, as what is written on it was written for white. */
const PAPER = '#ffffff'
const RULES = '#cfdbe6'
const SQUARE = 50
const LINE = 60

/** The paper and its rules within a box, in units. */
export function paintPaper(context: PaintContext, page: BoardPage, box: Box): void {
  const { width, height, background } = page
  context.fillStyle = PAPER
  context.fillRect(box.x, box.y, box.width, box.height)
  context.fillStyle = RULES
  const rows = background.kind === 'squared' ? SQUARE : background.kind === 'lined' ? LINE : 0
  const rules: Box[] = []
  for (let y = rows; rows > 0 && y < height; y += rows) rules.push({ x: 0, y: y - 0.5, width, height: 1 })
  for (let x = SQUARE; background.kind === 'squared' && x < width; x += SQUARE)
    rules.push({ x: x - 0.5, y: 0, width: 1, height })
  for (const rule of rules.filter(each => overlaps(each, box)))
    context.fillRect(rule.x, rule.y, rule.width, rule.height)
}
