import { boundsOf, type Content, type ShapeKind, type Vector } from '@lectern/board'
import { type BoardElement, COORDINATE_MAX } from '@lectern/protocol/control/client'

/** Elements whose size can be changed: all but strokes. */
export type Sizable = Extract<BoardElement, { kind: ShapeKind | 'text' | 'image' }>
type SizableContent = Extract<Content, { kind: ShapeKind | 'text' | 'image' }>
type Changes = Record<string, number>

export const isSizable = (element: BoardElement): element is Sizable =>
  element.kind !== 'stroke' && element.kind !== 'marker'

/** A point of an element that can be moved to change its size; `to` returns the changes. */
export interface Handle extends Vector {
  to: (at: Vector) => Changes
}

/** The shorter side, in units. */
const SMALLEST = 20
const [FONT_MIN, FONT_MAX] = [4, 400]

/** The ends of lines, else the corners. Images and texts keep their ratio, and the opposite corner its place. */
export function handlesOf(element: Content): Handle[] {
  switch (element.kind) {
    case 'stroke':
    case 'marker':
      return []
    case 'image':
    case 'text':
      return cornersOf(element)
    case 'line':
    case 'arrow':
      return [endOf(element, 'x1', 'y1'), endOf(element, 'x2', 'y2')]
    default:
      return (['y1', 'y2'] as const).flatMap(y => [endOf(element, 'x1', y), endOf(element, 'x2', y)])
  }
}

/** Larger or smaller around its middle. */
export function scaled(element: SizableContent, by: number): Changes {
  if (element.kind === 'image' || element.kind === 'text') return scaledFrom(element, middleOf(element), by)
  const { data } = element
  const sizes = [Math.abs(data.x1 - data.x2), Math.abs(data.y1 - data.y2)]
  const limited = limit(by, Math.max(...sizes), Math.max(...sizes))
  const middle = middleOf(element)
  const place = (value: number, from: number) => Math.round(from + (value - from) * limited)
  return {
    ...{ x1: place(data.x1, middle.x), y1: place(data.y1, middle.y) },
    ...{ x2: place(data.x2, middle.x), y2: place(data.y2, middle.y) },
  }
}

function endOf({ data }: Extract<Content, { kind: ShapeKind }>, x: 'x1' | 'x2', y: 'y1' | 'y2'): Handle {
  return { x: data[x], y: data[y], to: at => ({ [x]: Math.round(at.x), [y]: Math.round(at.y) }) }
}

type Framed = Extract<Content, { kind: 'text' | 'image' }>

function cornersOf(element: Framed): Handle[] {
  const { x: left, y: top, width, height } = boundsOf(element)
  const [right, bottom] = [left + width, top + height]
  return [
    [left, top, right, bottom],
    [right, top, left, bottom],
    [left, bottom, right, top],
    [right, bottom, left, top],
  ].map(([x = 0, y = 0, fixedX = 0, fixedY = 0]) => ({
    ...{ x, y },
    to(at) {
      // How far along the diagonal.
      const [dx, dy] = [x - fixedX, y - fixedY]
      const by = ((at.x - fixedX) * dx + (at.y - fixedY) * dy) / (dx * dx + dy * dy)
      return scaledFrom(element, { x: fixedX, y: fixedY }, by)
    },
  }))
}

/** The point stays where it is. */
function scaledFrom(element: Framed, fixed: Vector, by: number): Changes {
  const { x, y, width, height } = boundsOf(element)
  const limited = limit(by, Math.min(width, height), Math.max(width, height))
  if (element.kind === 'image')
    return {
      x: Math.round(fixed.x + (x - fixed.x) * limited),
      y: Math.round(fixed.y + (y - fixed.y) * limited),
      width: Math.max(Math.round(width * limited), 1),
      height: Math.max(Math.round(height * limited), 1),
    }
  const { size } = element.data
  const font = Math.min(Math.max(Math.round(size * limited), FONT_MIN), FONT_MAX)
  const scale = font / size
  return {
    x: Math.round(fixed.x + (x - fixed.x) * scale),
    y: Math.round(fixed.y + (y - fixed.y) * scale),
    width: Math.max(Math.round(width * scale), 1),
    size: font,
  }
}

/** Limits a change of size: a small element does not become smaller. */
function limit(by: number, shorter: number, longer: number): number {
  const least = Math.min(SMALLEST / Math.max(shorter, 1), 1)
  return Math.min(Math.max(by, least), COORDINATE_MAX / 10 / Math.max(longer, 1))
}

function middleOf(element: Content): Vector {
  const { x, y, width, height } = boundsOf(element)
  return { x: x + width / 2, y: y + height / 2 }
}
