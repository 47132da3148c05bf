import { describe, expect, it } from 'vitest'
import { LossAdaptation } from './loss-adaptation.ts'

const TOP = 1080

/** A player on a network that loses much as soon as it is sent more than fits; ticks every second. */
function play(seconds: number, fits: (second: number) => number) {
  const adaptation = new LossAdaptation()
  const heights: number[] = []
  for (let second = 0; second < seconds; second++) {
    const { height } = adaptation.size
    adaptation.setQuality(height <= fits(second) ? 10 : 4, second * 1_000)
    adaptation.tick(second * 1_000)
    heights.push(adaptation.size.height)
  }
  return heights
}

describe('the size in which a player gets video', () => {
  it('WHEP-4 is the best one without losses', () => {
    expect(new Set(play(300, () => TOP))).toEqual(new Set([TOP]))
  })

  it('WHEP-4 becomes smaller while much is lost, one step at a time', () => {
    const heights = play(60, () => 180)
    expect(heights[0]).toBe(360)
    expect(heights[9]).toBe(360)
    expect(heights[10]).toBe(180)
    expect(play(9, () => 0).at(-1)).toBe(360)
  })

  it('WHEP-4 grows again when nothing has been lost for a while', () => {
    const heights = play(60, second => (second < 12 ? 180 : TOP))
    expect(heights[12]).toBe(180)
    expect(heights[30]).toBe(360)
    expect(heights.at(-1)).toBe(TOP)
  })

  it('WHEP-4 is tried out less and less often when more is always too much', () => {
    const heights = play(900, () => 360)
    const tries = heights.flatMap((height, at) => (height === TOP && heights[at - 1] !== TOP ? [at] : []))
    const pauses = tries.slice(1).map((at, i) => at - (tries[i] ?? 0))
    expect(pauses.every((pause, i) => i === 0 || pause > (pauses[i - 1] ?? 0) || pause >= 240)).toBe(true)
    expect(heights.filter(height => height === TOP).length).toBeLessThan(100)
  })

  it('WHEP-4 stays while the connection is lost', () => {
    const adaptation = new LossAdaptation()
    adaptation.setQuality(0, 0)
    for (let second = 0; second < 60; second++) expect(adaptation.tick(second * 1_000)).toBe(false)
  })
})
