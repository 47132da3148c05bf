import { describe, expect, it } from 'vitest'
import { arrangeGrid, gridCapacity } from './grid.ts'
import { isInside, overlaps, STAGES } from './testing.ts'

describe('arrangeGrid', () => {
  it.each(STAGES)('keeps the tiles on a stage of $width × $height, apart, and in their shape', stage => {
    for (let count = 2; count <= gridCapacity(stage); count++) {
      const rects = arrangeGrid(stage, count)
      expect(rects).toHaveLength(count)
      expect(rects.every(isInside(stage))).toBe(true)
      expect(overlaps(rects)).toBe(false)
      for (const { width, height } of rects) {
        expect(width).toBeGreaterThanOrEqual(112)
        expect(height).toBeGreaterThanOrEqual(80)
        expect(width / height).toBeGreaterThanOrEqual(4 / 3 - 0.01)
        expect(width / height).toBeLessThanOrEqual(16 / 9 + 0.01)
      }
    }
  })

  it('gives a single tile the whole stage', () => {
    expect(arrangeGrid({ width: 374, height: 700 }, 1)).toEqual([
      { left: 0, top: 0, width: 374, height: 700 },
    ])
  })

  it('places two tiles side by side on a wide stage, and one below the other on a high stage', () => {
    const [left, right] = arrangeGrid({ width: 1256, height: 610 }, 2)
    expect([left?.top === right?.top, left?.left === right?.left]).toEqual([true, false])
    const [upper, lower] = arrangeGrid({ width: 340, height: 600 }, 2)
    expect([upper?.top === lower?.top, upper?.left === lower?.left]).toEqual([false, true])
  })
})

describe('gridCapacity', () => {
  it('is 49 on a desktop, at least nine on a phone, and at least one in any window', () => {
    expect(gridCapacity({ width: 1416, height: 770 })).toBe(49)
    expect(gridCapacity({ width: 3800, height: 2000 })).toBe(49)
    expect(gridCapacity({ width: 374, height: 700 })).toBeGreaterThanOrEqual(9)
    expect(gridCapacity({ width: 60, height: 20 })).toBe(1)
  })
})
