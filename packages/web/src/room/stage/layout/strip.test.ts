import { describe, expect, it } from 'vitest'
import type { Rect, Size } from './geometry.ts'
import { arrangeStrip } from './strip.ts'
import { isInside, overlaps, STAGES } from './testing.ts'

const visible = (stage: Size, others: number) => 1 + arrangeStrip(stage, others).strip.length

describe('arrangeStrip', () => {
  it.each(STAGES)('gives one tile most of a stage of $width × $height, and the others a strip', stage => {
    for (let others = 0; others <= 60; others++) {
      const { large, strip, pager } = arrangeStrip(stage, others)
      const all: Rect[] = [large, ...strip, ...(pager ? [pager] : [])]
      expect(all.every(isInside(stage))).toBe(true)
      expect(overlaps(all)).toBe(false)
      expect(large.width * large.height).toBeGreaterThan(0.5 * stage.width * stage.height)
      expect(strip.length).toBeLessThanOrEqual(others)
      if (others > 0) expect(strip.length).toBeGreaterThan(0)
      // Page buttons exactly when somebody is missing.
      expect(pager !== null).toBe(strip.length < others)
    }
  })

  it('shows at least four of nine people on a phone in portrait and landscape orientation, and all on a desktop', () => {
    expect(visible({ width: 374, height: 700 }, 8)).toBe(9)
    expect(visible({ width: 374, height: 560 }, 8)).toBeGreaterThanOrEqual(4)
    expect(visible({ width: 828, height: 270 }, 8)).toBeGreaterThanOrEqual(4)
    expect(visible({ width: 304, height: 440 }, 8)).toBeGreaterThanOrEqual(4)
    expect(visible({ width: 1416, height: 770 }, 8)).toBe(9)
  })

  it('aligns the rows of two columns', () => {
    const tops = arrangeStrip({ width: 828, height: 208 }, 3).strip.map(({ top }) => top)
    expect(tops).toHaveLength(3)
    expect(tops[2]).toBe(tops[0])
    expect(tops[1]).toBeGreaterThan(tops[0] as number)
  })

  it('has no page buttons where all fit at the smallest size', () => {
    for (let width = 120; width < 700; width += 23)
      for (let height = 90; height < 500; height += 19)
        for (let others = 1; others <= 6; others++) {
          const { strip, pager } = arrangeStrip({ width, height }, others)
          expect({ width, height, others, hasPager: pager !== null }).toEqual({
            ...{ width, height, others },
            hasPager: strip.length < others,
          })
        }
  })

  it('limits the strip, with page buttons for the rest', () => {
    const { strip, pager } = arrangeStrip({ width: 1416, height: 770 }, 8, 2)
    expect(strip).toHaveLength(2)
    expect(pager).not.toBeNull()
    expect(arrangeStrip({ width: 1416, height: 770 }, 2, 2).pager).toBeNull()
  })
})
