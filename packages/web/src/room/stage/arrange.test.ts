import { describe, expect, it } from 'vitest'
import { arrangeEqual, arrangeLarge, type Rect, type Size } from './arrange.ts'

const STAGES: Size[] = [
  { width: 320, height: 480 },
  { width: 720, height: 260 },
  { width: 1256, height: 610 },
  { width: 3800, height: 2000 },
]

const isInside = (stage: Size) => (rect: Rect) =>
  rect.left >= -0.01 &&
  rect.top >= -0.01 &&
  rect.left + rect.width <= stage.width + 0.01 &&
  rect.top + rect.height <= stage.height + 0.01

const overlap = (one: Rect, other: Rect) =>
  one.left < other.left + other.width &&
  other.left < one.left + one.width &&
  one.top < other.top + other.height &&
  other.top < one.top + one.height

const overlaps = (rects: Rect[]) =>
  rects.some((one, at) => rects.slice(at + 1).some(other => overlap(one, other)))

describe('arrangeEqual', () => {
  it.each(STAGES)('keeps up to 25 tiles on a stage of $width × $height, apart, and in their shape', stage => {
    for (let count = 1; count <= 25; count++) {
      const rects = arrangeEqual(stage, count)
      expect(rects).toHaveLength(count)
      expect(rects.every(isInside(stage))).toBe(true)
      expect(overlaps(rects)).toBe(false)
      for (const { width, height } of rects) {
        expect(width / height).toBeGreaterThanOrEqual(4 / 3 - 0.01)
        expect(width / height).toBeLessThanOrEqual(16 / 9 + 0.01)
      }
    }
  })

  it('places two tiles side by side on a wide stage, and one below the other on a high stage', () => {
    const [left, right] = arrangeEqual({ width: 1256, height: 610 }, 2)
    expect([left?.top === right?.top, left?.left === right?.left]).toEqual([true, false])
    const [upper, lower] = arrangeEqual({ width: 340, height: 600 }, 2)
    expect([upper?.top === lower?.top, upper?.left === lower?.left]).toEqual([false, true])
  })
})

describe('arrangeLarge', () => {
  it.each(STAGES)('gives one the most of a stage of $width × $height, and the others a strip', stage => {
    for (let others = 0; others <= 30; others++) {
      const { large, strip } = arrangeLarge(stage, others)
      expect([large, ...strip].every(isInside(stage))).toBe(true)
      expect(overlaps([large, ...strip])).toBe(false)
      expect(large.width * large.height).toBeGreaterThan(0.6 * stage.width * stage.height)
      expect(strip.length).toBeLessThanOrEqual(others)
      if (others > 0) expect(strip.length).toBeGreaterThan(0)
    }
  })
})
