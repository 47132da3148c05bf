import { describe, expect, it } from 'vitest'
import { FramePace } from './frame-pace.ts'

/** Gives the pace this many frames of a camera, each of which takes so long. Returns how many are processed, or 'slow'. */
function run(pace: FramePace, frames: number, ms: number): number | 'slow' {
  let processed = 0
  for (let frame = 0; frame < frames; frame++)
    if (pace.isDue()) {
      processed++
      if (!pace.add(ms)) return 'slow'
    }
  return processed
}

describe('the pace of the background', () => {
  it('is that of the camera while frames are processed in time', () => {
    expect(run(new FramePace(), 300, 24)).toBe(300)
  })

  it('is not lowered by the first frames, nor by a single slow one', () => {
    const pace = new FramePace()
    expect(run(pace, 5, 400)).toBe(5)
    expect(run(pace, 14, 10)).toBe(14)
    expect(run(pace, 1, 200)).toBe(1)
    expect(run(pace, 60, 10)).toBe(60)
  })

  it('is halved when frames take longer than 25 ms, and again above 50 ms', () => {
    const pace = new FramePace()
    run(pace, 20, 30)
    expect(run(pace, 300, 30)).toBe(150)
    const slower = new FramePace()
    run(slower, 80, 80)
    expect(run(slower, 300, 80)).toBe(75)
  })

  it('recovers when there is time again', () => {
    const pace = new FramePace()
    run(pace, 20, 30)
    run(pace, 40, 8)
    expect(run(pace, 300, 8)).toBe(300)
  })

  it('does not return to a rate that would be too much', () => {
    const pace = new FramePace()
    run(pace, 20, 30)
    run(pace, 200, 20)
    expect(run(pace, 300, 20)).toBe(150)
  })

  it('is not given up for one frame in which the machine has slept', () => {
    const pace = new FramePace()
    run(pace, 80, 80)
    expect(run(pace, 4, 3_600_000)).toBe(1)
    expect(run(pace, 300, 80)).toBe(75)
  })

  it('gives up when a fourth of the frames is too much', () => {
    expect(run(new FramePace(), 1_000, 110)).toBe('slow')
  })
})
