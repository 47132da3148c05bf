import type { BoardElement, StrokeData, TextData } from './element.ts'
import { encodePoints, type InkPoint } from './points.ts'

type Base = Pick<BoardElement, 'element_id' | 'version' | 'author_id' | 'z'>

const base = (element_id: string): Base => ({ element_id, version: 1, author_id: '7', z: 0 })

/** A stroke through the points. */
export function aStroke(
  id: string,
  points: readonly InkPoint[],
  data: Partial<StrokeData> = {},
): BoardElement {
  const stroke = { points: encodePoints(points), color: '#1c2a2b', width: 4, duration_ms: 100, ...data }
  return { ...base(id), kind: 'stroke', data: stroke }
}

export function aText(id: string, text: string, data: Partial<TextData> = {}): BoardElement {
  return {
    ...base(id),
    kind: 'text',
    data: { x: 100, y: 100, width: 400, text, size: 32, color: '#1c2a2b', ...data },
  }
}
