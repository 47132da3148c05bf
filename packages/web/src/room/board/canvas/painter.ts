import {
  type Box,
  type Content,
  type Drawing,
  drawingsOf,
  type ImageData,
  paintPaper,
  paintText,
  type Vector,
} from '@lectern/board'
import type { BoardPage } from '@lectern/protocol/control/client'
import { filePageOf, type Pictures } from '../files/pictures.ts'

type Context = CanvasRenderingContext2D

type Prepared = { drawing: Drawing; path: Path2D | null }[]

/** Outlines are computed once for each version of an element. */
const prepared = new WeakMap<object, Prepared>()

/** Computes the outlines of an element that is drawn later. */
export function prepare(content: Content): Prepared {
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

/** The paper, and the picture on it. */
export function paintBackground(context: Context, pictures: Pictures, page: BoardPage, box: Box): void {
  paintPaper(context, page, box)
  const file = filePageOf(page)
  const image = file && pictures.get(file, page.width * context.getTransform().a)
  if (!image) return
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, page.width, page.height)
}

/** Draws an element; `opacity`: of one that is not stored yet. */
export function paintContent(context: Context, pictures: Pictures, content: Content, opacity = 1): void {
  for (const { drawing, path } of prepare(content))
    if (drawing.is === 'image') paintImage(context, pictures, drawing.image, opacity)
    else paint(context, drawing, path, opacity)
}

const NO_PICTURE = '#dfe5ea'

/** A grey surface until the picture is there. */
function paintImage(
  context: Context,
  pictures: Pictures,
  { x, y, width, height, file_id }: ImageData,
  opacity: number,
): void {
  const image = pictures.get({ fileId: file_id, pageNumber: 1 }, width * context.getTransform().a)
  context.globalAlpha = opacity
  context.imageSmoothingQuality = 'high'
  context.fillStyle = NO_PICTURE
  if (image) context.drawImage(image, x, y, width, height)
  else context.fillRect(x, y, width, height)
  context.globalAlpha = 1
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
    paintText(context, drawing)
  }
  context.globalAlpha = 1
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

/** The side of a handle, in pixels. */
export const HANDLE = 12

/** A frame and its handles; `unit`: of a pixel. */
export function paintSelection(
  context: Context,
  { x, y, width, height }: Box,
  handles: readonly Vector[],
  unit: number,
): void {
  context.strokeStyle = '#0062b1'
  context.lineWidth = 2 * unit
  context.setLineDash([6 * unit, 4 * unit])
  context.strokeRect(x, y, width, height)
  context.setLineDash([])
  context.fillStyle = '#ffffff'
  const side = HANDLE * unit
  for (const at of handles) {
    context.fillRect(at.x - side / 2, at.y - side / 2, side, side)
    context.strokeRect(at.x - side / 2, at.y - side / 2, side, side)
  }
}
