import type { Content, ImageData, ShapeData, StrokeKind } from './element.ts'
import { outlineOf } from './outline.ts'
import { type Trace, traceCapsule, traceEllipse, tracePolygon, traceRectangle, type Vector } from './path.ts'
import { decodePoints, type InkPoint } from './points.ts'
import { type TextLine, textLines } from './text.ts'

/** The parts of the drawing of an element, in painting order, with coordinates in units. */
export type Drawing =
  | { is: 'path'; color: string; opacity: number; trace: Trace }
  | { is: 'text'; color: string; size: number; lines: readonly TextLine[] }
  | { is: 'image'; image: ImageData }

const MARKER_OPACITY = 0.4
/** The surface of a shape lets through what is below it. */
const FILL_OPACITY = 0.25

export function drawingsOf(content: Content): Drawing[] {
  switch (content.kind) {
    case 'stroke':
    case 'marker': {
      const { points, color, width } = content.data
      return [strokeDrawing(content.kind, decodePoints(points), color, width)]
    }
    case 'text':
      return [
        { is: 'text', color: content.data.color, size: content.data.size, lines: textLines(content.data) },
      ]
    case 'image':
      return [{ is: 'image', image: content.data }]
    case 'line':
    case 'arrow': {
      const { color, width, ...ends } = content.data
      return [{ is: 'path', color, opacity: 1, trace: traceLine(content.kind, ends, width) }]
    }
    default:
      return areaDrawings(content.kind, content.data)
  }
}

/** The drawing of a stroke, or of the first part of one that grows. */
export function strokeDrawing(
  kind: StrokeKind,
  points: readonly InkPoint[],
  color: string,
  width: number,
): Drawing {
  const opacity = kind === 'marker' ? MARKER_OPACITY : 1
  const trace: Trace = sink => tracePolygon(sink, outlineOf(kind, points, width))
  return { is: 'path', color, opacity, trace }
}

type Ends = Pick<ShapeData, 'x1' | 'y1' | 'x2' | 'y2'>

const HEAD_ANGLE = Math.PI / 7

function traceLine(kind: 'line' | 'arrow', { x1, y1, x2, y2 }: Ends, width: number): Trace {
  const [from, to]: [Vector, Vector] = [
    { x: x1, y: y1 },
    { x: x2, y: y2 },
  ]
  return sink => {
    traceCapsule(sink, from, to, width)
    if (kind === 'line') return
    const angle = Math.atan2(y1 - y2, x1 - x2)
    const length = Math.min(headLength(width), Math.hypot(x1 - x2, y1 - y2) * 0.6)
    for (const turn of [-HEAD_ANGLE, HEAD_ANGLE]) {
      const end = { x: x2 + length * Math.cos(angle + turn), y: y2 + length * Math.sin(angle + turn) }
      traceCapsule(sink, to, end, width)
    }
  }
}

/** The length of the head of an arrow. */
export const headLength = (width: number): number => 16 + width * 3

function areaDrawings(kind: 'rectangle' | 'ellipse', data: ShapeData): Drawing[] {
  const { color, width, fill } = data
  const frame = {
    x: Math.min(data.x1, data.x2),
    y: Math.min(data.y1, data.y2),
    width: Math.abs(data.x2 - data.x1),
    height: Math.abs(data.y2 - data.y1),
  }
  const grown = (by: number) => ({
    x: frame.x - by,
    y: frame.y - by,
    width: Math.max(frame.width + 2 * by, 0),
    height: Math.max(frame.height + 2 * by, 0),
  })
  const trace = kind === 'rectangle' ? traceRectangle : traceEllipse
  const hasInside = frame.width > width && frame.height > width
  return [
    ...(fill === undefined
      ? []
      : [{ is: 'path', color: fill, opacity: FILL_OPACITY, trace: sink => trace(sink, frame) } as Drawing]),
    {
      is: 'path',
      color,
      opacity: 1,
      trace(sink) {
        trace(sink, grown(width / 2))
        if (hasInside) trace(sink, grown(-width / 2), true)
      },
    },
  ]
}
