/** Drawn by hand. Coordinates of points are tenths of a unit; see points.ts. */
export interface StrokeData {
  points: readonly number[]
  color: string
  width: number
  /** From the first to the last point. */
  duration_ms: number
}

/** From one corner, or end, to the other. */
export interface ShapeData {
  x1: number
  y1: number
  x2: number
  y2: number
  color: string
  width: number
  fill?: string
}

export interface TextData {
  x: number
  y: number
  width: number
  text: string
  size: number
  color: string
}

export interface ImageData {
  x: number
  y: number
  width: number
  height: number
  file_id: string
  alt?: string
}

export const STROKE_KINDS = ['stroke', 'marker'] as const
export const SHAPE_KINDS = ['line', 'arrow', 'rectangle', 'ellipse'] as const
export type StrokeKind = (typeof STROKE_KINDS)[number]
export type ShapeKind = (typeof SHAPE_KINDS)[number]

/** What an element shows. */
export type Content =
  | { kind: StrokeKind; data: StrokeData }
  | { kind: ShapeKind; data: ShapeData }
  | { kind: 'text'; data: TextData }
  | { kind: 'image'; data: ImageData }

/** A version of an element. The higher version replaces the lower one, and deletion is a state of a version. */
export type BoardElement = Content & {
  element_id: string
  version: number
  author_id: string
  /** Above elements with a lower one; of the same, that with the later id is above. */
  z: number
  deleted: boolean
}

/** Whether the first is above the second, as a comparison for sorting. */
export const byOrder = (one: BoardElement, other: BoardElement): number =>
  one.z - other.z || (one.element_id < other.element_id ? -1 : 1)

/** The same content elsewhere; in units. */
export function moved(content: Content, dx: number, dy: number): Content {
  switch (content.kind) {
    case 'stroke':
    case 'marker': {
      const [x = 0, y = 0, ...rest] = content.data.points
      const points = [x + Math.round(dx * 10), y + Math.round(dy * 10), ...rest]
      return { ...content, data: { ...content.data, points } }
    }
    case 'text':
    case 'image':
      return {
        ...content,
        data: { ...content.data, x: content.data.x + dx, y: content.data.y + dy },
      } as Content
    default: {
      const { x1, y1, x2, y2 } = content.data
      return { ...content, data: { ...content.data, x1: x1 + dx, y1: y1 + dy, x2: x2 + dx, y2: y2 + dy } }
    }
  }
}
