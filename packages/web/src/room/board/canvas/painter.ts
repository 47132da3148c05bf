import {
  type Box,
  type Content,
  type Drawing,
  drawingsOf,
  overlaps,
  TEXT_FONTS,
  type Vector,
} from '@lectern/board'
import type { BoardPage } from '@lectern/protocol/control/client'

type Context = CanvasRenderingContext2D

type Prepared = { drawing: Drawing; path: Path2D | null }[]

/** Outlines are computed once for each version of an element. */
const prepared = new WeakMap<object, Prepared>()

function prepare(content: Content): Prepared {
  const known = prepared.get(content.data)
  if (known) return known
  const made = drawingsOf(content).map(drawing => ({ drawing, path: pathOf(drawing) }))
  prepared.set(content.data, made)
  return made
}

function pathOf(drawing: Drawing): Path2D | null {
  if (drawing.is !== 'path') return null
  const path = new Path2D()
  drawing.trace(path)
  return path
}

const FAMILIES = [...TEXT_FONTS.map(each => `"${each}"`), 'sans-serif'].join(', ')
export const fontOf = (size: number): string => `${size}px ${FAMILIES}`

/** Draws an element; `opacity`: of one that is not stored yet. */
export function paintContent(context: Context, content: Content, opacity = 1): void {
  for (const { drawing, path } of prepare(content)) paint(context, drawing, path, opacity)
}

/** Draws what changes with every frame, such as a stroke that grows. */
export const paintDrawing = (context: Context, drawing: Drawing): void =>
  paint(context, drawing, pathOf(drawing), 1)

function paint(context: Context, drawing: Drawing, path: Path2D | null, opacity: number): void {
  if (drawing.is === 'path' && path) {
    context.globalAlpha = drawing.opacity * opacity
    context.fillStyle = drawing.color
    context.fill(path)
  } else if (drawing.is === 'text') {
    context.globalAlpha = opacity
    context.fillStyle = drawing.color
    context.font = fontOf(drawing.size)
    for (const { text, x, y, direction } of drawing.lines) {
      context.direction = direction
      context.textAlign = 'start'
      context.fillText(text, x, y)
    }
  }
  context.globalAlpha = 1
}

/** Paper is white in every theme, as what is written on it was written for white. */
const PAPER = '#ffffff'
const RULES = '#cfdbe6'
const SQUARE = 50
const LINE = 60

export function paintBackground(context: Context, page: BoardPage, box: Box): void {
  const { width, height, background } = page
  context.fillStyle = PAPER
  context.fillRect(box.x, box.y, box.width, box.height)
  context.fillStyle = RULES
  const isInside = (rule: Box) => overlaps(rule, box)
  const rows = background.kind === 'squared' ? SQUARE : background.kind === 'lined' ? LINE : 0
  const rules: Box[] = []
  for (let y = rows; rows > 0 && y < height; y += rows) rules.push({ x: 0, y: y - 0.5, width, height: 1 })
  for (let x = SQUARE; background.kind === 'squared' && x < width; x += SQUARE)
    rules.push({ x: x - 0.5, y: 0, width: 1, height })
  for (const rule of rules.filter(isInside)) context.fillRect(rule.x, rule.y, rule.width, rule.height)
}

const GLOW = 14
const DOT = 7

export function paintLaser(context: Context, { x, y }: Vector): void {
  context.fillStyle = '#ff2d2d'
  for (const [radius, alpha] of [
    [GLOW, 0.3],
    [DOT, 1],
  ] as const) {
    context.globalAlpha = alpha
    context.beginPath()
    context.arc(x, y, radius, 0, 2 * Math.PI)
    context.fill()
  }
  context.globalAlpha = 1
}

export function paintSelection(context: Context, { x, y, width, height }: Box, unit: number): void {
  context.strokeStyle = '#0062b1'
  context.lineWidth = 2 * unit
  context.setLineDash([6 * unit, 4 * unit])
  context.strokeRect(x, y, width, height)
  context.setLineDash([])
}
