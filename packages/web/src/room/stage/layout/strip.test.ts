import { describe, expect, it } from 'vitest'
import { areaOf, type Content, pictureIn } from './content.ts'
import { GAP, PAGER, type Rect, type Size } from './geometry.ts'
import { isPortrait } from './portrait.ts'
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
      if (isPortrait(stage) && others > 0) expect(large.height).toBeGreaterThanOrEqual(stage.width * 0.56)
      else expect(areaOf(large)).toBeGreaterThan(0.5 * areaOf(stage))
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
    const { strip, pager } = arrangeStrip({ width: 1416, height: 770 }, 8, { limit: 2 })
    expect(strip).toHaveLength(2)
    expect(pager).not.toBeNull()
    expect(arrangeStrip({ width: 1416, height: 770 }, 2, { limit: 2 }).pager).toBeNull()
  })

  it.each([
    // Windows of 1440 × 900, 1920 × 1080 and 1024 × 700 without and with a panel, by the number of others.
    [1416, 756, 1],
    [1416, 756, 8],
    [1030, 756, 1],
    [1030, 756, 8],
    [1030, 756, 24],
    [1896, 936, 2],
    [1896, 936, 12],
    [1480, 936, 5],
    [1000, 556, 3],
    [700, 556, 1],
    [700, 556, 8],
    [828, 270, 4],
  ])('gives a shared screen the largest picture: stage of %i × %i, %i others', (width, height, others) => {
    const stage = { width, height }
    for (const ratio of [16 / 9, 4 / 3, 21 / 9]) {
      const content = { ratio, isScreen: true }
      const { large, strip } = arrangeStrip(stage, others, { content })
      const best = bestPicture(stage, others, strip.length, content)
      expect(areaOf(pictureIn(large, content)) / best).toBeGreaterThanOrEqual(0.97)
    }
  })

  it('gives a shared screen beside an open panel a width of 1019 pixels instead of 792', () => {
    const content = { ratio: 16 / 9, isScreen: true }
    const { large, side } = arrangeStrip({ width: 1030, height: 756 }, 2, { content })
    expect(side).toBe('above')
    expect(pictureIn(large, content).width).toBeGreaterThanOrEqual(1019)
  })

  it('gives a shared screen on a phone in landscape orientation the height, rather than all people a tile', () => {
    const content = { ratio: 16 / 9, isScreen: true }
    for (let others = 1; others <= 30; others++) {
      const { large, side } = arrangeStrip({ width: 748, height: 280 }, others, { content })
      expect({ others, side, height: pictureIn(large, content).height }).toEqual({
        ...{ others, side: 'beside', height: 240 },
      })
    }
  })

  it('moves the strip only for a picture that is larger by 8 %', () => {
    const content = { ratio: 16 / 9, isScreen: true }
    const at = (height: number, side: 'beside' | 'above') =>
      arrangeStrip({ width: 1000, height }, 2, { content, side })
    const moved = Array.from({ length: 300 }, (_, index) => 450 + index).filter(
      height => at(height, 'beside').side !== at(height, 'above').side,
    )
    expect(moved.length).toBeGreaterThan(10)
    for (const height of moved) {
      const [one, other] = (['beside', 'above'] as const).map(side =>
        areaOf(pictureIn(at(height, side).large, content)),
      ) as [number, number]
      expect(Math.max(one, other) / Math.min(one, other)).toBeLessThanOrEqual(1.08)
    }
  })

  it.each(STAGES.filter(isPortrait))(
    'has columns below the large tile on a phone: $width × $height',
    stage => {
      for (let others = 1; others <= 30; others++) {
        const { large, strip, side } = arrangeStrip(stage, others)
        expect(side).toBe('below')
        expect(large.height).toBeLessThanOrEqual(0.75 * stage.width + 0.01)
        for (const { width } of strip) expect(width).toBeGreaterThanOrEqual(116)
      }
      const columns = new Set(
        arrangeStrip({ width: 374, height: 700 }, 8).strip.map(({ left }) => Math.round(left)),
      )
      expect(columns.size).toBeGreaterThanOrEqual(3)
    },
  )
})

/**
 * The largest picture of all strips beside and above with as many tiles, of at least the smallest size, in up to two
 * lines.
 */
function bestPicture(stage: Size, others: number, shown: number, content: Content): number {
  const isWhole = shown === others
  let best = 0
  for (const lines of [1, 2])
    for (const isBeside of [true, false]) {
      const perLine = Math.ceil(shown / lines)
      const length = isBeside ? stage.height - (isWhole ? 0 : PAGER) : stage.width
      const alongMax = (length - (perLine - 1) * GAP) / perLine
      for (let across = isBeside ? 120 : 72; across < 400; across++) {
        if (alongMax < across * (isBeside ? 9 / 16 : 4 / 3)) break
        const used = lines * (across + GAP) + (isBeside || isWhole ? 0 : PAGER)
        const large = isBeside
          ? { width: stage.width - used, height: stage.height }
          : { width: stage.width, height: stage.height - used }
        if (large.width > 0 && large.height > 0) best = Math.max(best, areaOf(pictureIn(large, content)))
      }
    }
  return best
}
