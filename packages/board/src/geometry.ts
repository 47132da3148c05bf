import { headLength } from './drawing.ts'
import type { BoardElement, Content } from './element.ts'
import type { Vector } from './path.ts'
import { decodePoints } from './points.ts'
import { LINE_HEIGHT, textLines } from './text.ts'

export interface Box extends Vector {
  width: number
  height: number
}

const known = new WeakMap<object, Box>()

/** The rectangle that contains all of an element. */
export function boundsOf(content: Content): Box {
  const found = known.get(content.data)
  if (found) return found
  const box = measure(content)
  known.set(content.data, box)
  return box
}

/** Bounds of letters in any font, as multiples of the font size: their width, and how far they reach above and below their line. */
const LETTER = { width: 1.3, beside: 0.3 }

/**
 * The rectangle that contains all that is painted of an element. A line of a text may be longer than its width: clients need
 * not break lines, and the fonts of machines differ.
 */
export function paintedBoundsOf(content: Content): Box {
  const box = boundsOf(content)
  if (content.kind !== 'text') return box
  const { size } = content.data
  const lines = textLines(content.data)
  const beyond = (direction: 'ltr' | 'rtl') =>
    Math.max(
      0,
      ...lines.map(line =>
        line.direction === direction ? line.text.length * size * LETTER.width - box.width : 0,
      ),
    )
  const [left, right] = [beyond('rtl'), beyond('ltr')]
  return grown({ ...box, x: box.x - left, width: box.width + left + right }, size * LETTER.beside)
}

function measure(content: Content): Box {
  switch (content.kind) {
    case 'stroke':
    case 'marker':
      return grown(around(decodePoints(content.data.points)), content.data.width)
    case 'text': {
      const { x, y, width, size } = content.data
      return { x, y, width, height: textLines(content.data).length * LINE_HEIGHT * size }
    }
    case 'image': {
      const { x, y, width, height } = content.data
      return { x, y, width, height }
    }
    default: {
      const { x1, y1, x2, y2, width } = content.data
      const margin = content.kind === 'arrow' ? headLength(width) / 2 + width : width
      const ends = [
        [x1, y1],
        [x2, y2],
      ] as const
      return grown(around(ends), margin)
    }
  }
}

function around(points: readonly (readonly number[])[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x = 0, y = 0] of points) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  return left > right
    ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: left, y: top, width: right - left, height: bottom - top }
}

export const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

/** The rectangle that contains both. */
export function union(one: Box | null, other: Box): Box {
  if (!one) return other
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)]
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  }
}

export const overlaps = (one: Box, other: Box): boolean =>
  one.x <= other.x + other.width &&
  other.x <= one.x + one.width &&
  one.y <= other.y + other.height &&
  other.y <= one.y + one.height

/** Whether what is visible of the element is within the distance of a line between two points. */
export function isTouched(content: Content, from: Vector, to: Vector, distance: number): boolean {
  const path = grown(
    around([
      [from.x, from.y],
      [to.x, to.y],
    ]),
    distance,
  )
  if (!overlaps(boundsOf(content), path)) return false
  switch (content.kind) {
    case 'stroke':
    case 'marker': {
      const points = decodePoints(content.data.points).map(([x, y]) => ({ x, y }))
      return isNear(points, from, to, distance + content.data.width / 2)
    }
    case 'text':
    case 'image':
      return true
    default:
      return isNear(cornersOf(content.kind, content.data), from, to, distance + content.data.width / 2)
  }
}

type ShapeContent = Extract<Content, { kind: 'line' | 'arrow' | 'rectangle' | 'ellipse' }>
const ELLIPSE_CORNERS = 24

function cornersOf(kind: ShapeContent['kind'], { x1, y1, x2, y2 }: ShapeContent['data']): Vector[] {
  if (kind === 'line' || kind === 'arrow')
    return [
      { x: x1, y: y1 },
      { x: x2, y: y2 },
    ]
  if (kind === 'rectangle')
    return [
      [x1, y1],
      [x2, y1],
      [x2, y2],
      [x1, y2],
      [x1, y1],
    ].map(([x = 0, y = 0]) => ({ x, y }))
  return Array.from({ length: ELLIPSE_CORNERS + 1 }, (_, at) => {
    const angle = (at / ELLIPSE_CORNERS) * 2 * Math.PI
    return {
      x: (x1 + x2) / 2 + (Math.cos(angle) * (x2 - x1)) / 2,
      y: (y1 + y2) / 2 + (Math.sin(angle) * (y2 - y1)) / 2,
    }
  })
}

/** Whether a line of segments is within the distance of a segment. */
function isNear(line: readonly Vector[], from: Vector, to: Vector, distance: number): boolean {
  return line.some((at, index) => segmentDistance(at, line[index + 1] ?? at, from, to) <= distance)
}

function segmentDistance(a: Vector, b: Vector, c: Vector, d: Vector): number {
  if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) return 0
  return Math.min(
    pointDistance(a, c, d),
    pointDistance(b, c, d),
    pointDistance(c, a, b),
    pointDistance(d, a, b),
  )
}

const side = (a: Vector, b: Vector, c: Vector): number =>
  (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

function pointDistance(point: Vector, a: Vector, b: Vector): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const length = dx * dx + dy * dy
  const along = length > 0 ? ((point.x - a.x) * dx + (point.y - a.y) * dy) / length : 0
  const at = Math.min(Math.max(along, 0), 1)
  return Math.hypot(point.x - a.x - at * dx, point.y - a.y - at * dy)
}

/** In reading order: from top to bottom, and within a row from the left. */
export function inReadingOrder(elements: readonly BoardElement[]): BoardElement[] {
  return [...elements].sort((one, other) => {
    const [a, b] = [boundsOf(one), boundsOf(other)]
    const isSameRow =
      Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > Math.min(a.height, b.height) / 2
    return isSameRow ? a.x - b.x : a.y - b.y
  })
}
