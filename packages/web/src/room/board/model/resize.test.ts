import type { Content } from '@lectern/board'
import { describe, expect, it } from 'vitest'
import { handlesOf, scaled } from './resize.ts'

const IMAGE = { kind: 'image', data: { x: 100, y: 200, width: 400, height: 200, file_id: 'b_1' } } as const
const TEXT = {
  kind: 'text',
  data: { x: 100, y: 100, width: 200, size: 20, text: 'x = 3', color: '#000000' },
} as const
const shape = (kind: 'rectangle' | 'line'): Extract<Content, { kind: 'line' | 'rectangle' }> => ({
  kind,
  data: { x1: 300, y1: 100, x2: 100, y2: 200, color: '#000000', width: 4 },
})
const drag = (content: Content, handle: number, dx: number, dy: number) => {
  const from = handlesOf(content)[handle]
  if (!from) throw new Error('no such handle')
  return from.to({ x: from.x + dx, y: from.y + dy })
}

describe('handles', () => {
  it('of an image keep its ratio and the opposite corner, whichever is pulled', () => {
    expect(drag(IMAGE, 3, 200, 100)).toEqual({ x: 100, y: 200, width: 600, height: 300 })
    expect(drag(IMAGE, 0, -200, -100)).toEqual({ x: -100, y: 100, width: 600, height: 300 })
    expect(drag(IMAGE, 1, 0, 500).width).toBeLessThan(400)
    const askew = drag(IMAGE, 3, 300, 0)
    expect((askew.width ?? 0) / (askew.height ?? 1)).toBeCloseTo(2, 1)
  })

  it('do not turn an image over, nor make it too small to be pressed', () => {
    expect(drag(IMAGE, 3, -900, -900)).toEqual({ x: 100, y: 200, width: 40, height: 20 })
  })

  it('of a shape are its corners, and of a line its ends', () => {
    expect(handlesOf(shape('rectangle')).map(({ x, y }) => [x, y])).toEqual([
      [300, 100],
      [100, 100],
      [300, 200],
      [100, 200],
    ])
    expect(drag(shape('rectangle'), 1, -50, -20)).toEqual({ x2: 50, y1: 80 })
    expect(handlesOf(shape('line'))).toHaveLength(2)
    expect(drag(shape('line'), 1, 10, 20)).toEqual({ x2: 110, y2: 220 })
  })

  it('of a text change the size of its letters', () => {
    const { height } = { height: 20 * 1.3 }
    expect(drag(TEXT, 3, 200, height)).toMatchObject({ x: 100, y: 100, width: 400, size: 40 })
    expect(drag(TEXT, 3, 90_000, 90_000).size).toBe(400)
  })

  it('of strokes do not exist', () => {
    const points = [0, 0, 0]
    expect(
      handlesOf({ kind: 'stroke', data: { points, color: '#000000', width: 2, duration_ms: 1 } }),
    ).toEqual([])
  })
})

it('elements become larger and smaller around their middle by buttons', () => {
  expect(scaled(IMAGE, 1.25)).toEqual({ x: 50, y: 175, width: 500, height: 250 })
  expect(scaled(shape('line'), 2)).toEqual({ x1: 400, y1: 50, x2: 0, y2: 250 })
  expect(scaled(TEXT, 2)).toMatchObject({ size: 40, x: 0 })
  expect(scaled(IMAGE, 0.01)).toMatchObject({ width: 40, height: 20 })
})
