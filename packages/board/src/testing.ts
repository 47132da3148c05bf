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

/** Texts whose letters the bundled fonts have, and their widths at a size of 40 units in browsers and recorders. */
export const TEXT_WIDTHS: readonly (readonly [text: string, width: number])[] = [
  ['Größe ÷ Žluťoučký kůň', 423.96],
  ['Привет, Олена Їжак', 379.56],
  ['γειά σου ὀψέ', 242.48],
  ['Tiếng Việt phở', 270.52],
  ['हिन्दी में', 109.88],
  ['مرحبا بالعالم ١٢٣', 271.76],
  ['שלום עולם', 183.48],
  ['√2 ≤ ∑ x² → ∞ ∫ ½', 356.96],
]
