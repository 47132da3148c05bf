import { describe, expect, it } from 'vitest'
import { FILL_CROP, isHeightCut, zoomOf } from './video-zoom.ts'

const HD = { width: 1280, height: 720 }
const UPRIGHT = { width: 720, height: 1280 }

describe('zoomOf', () => {
  it('fills a tile of nearly the same shape', () => {
    expect(zoomOf(HD, { width: 160, height: 90 })).toBe(1)
    expect(zoomOf(HD, { width: 400, height: 300 })).toBeCloseTo(4 / 3)
    expect(zoomOf(UPRIGHT, { width: 360, height: 640 })).toBe(1)
  })

  it('shows a portrait camera whole in a landscape tile', () => {
    expect(zoomOf(UPRIGHT, { width: 640, height: 360 })).toBe(1)
  })

  it('cuts off at most a quarter of the width and a tenth of the height', () => {
    for (const tile of [
      { width: 374, height: 700 },
      { width: 100, height: 1000 },
      { width: 1000, height: 100 },
      { width: 640, height: 480 },
    ])
      for (const video of [HD, { width: 640, height: 480 }, { width: 500, height: 500 }]) {
        const scale = Math.min(tile.width / video.width, tile.height / video.height) * zoomOf(video, tile)
        expect(tile.width / (video.width * scale)).toBeGreaterThanOrEqual(0.75 - 1e-9)
        expect(tile.height / (video.height * scale)).toBeGreaterThanOrEqual(0.9 - 1e-9)
      }
  })

  it('fills half of an upright stage: at most 45 % of the width are cut off', () => {
    const tile = { width: 374, height: 346 }
    for (const video of [HD, { width: 640, height: 480 }, { width: 480, height: 640 }]) {
      const scale =
        Math.min(tile.width / video.width, tile.height / video.height) * zoomOf(video, tile, FILL_CROP)
      expect(video.width * scale).toBeGreaterThanOrEqual(tile.width - 0.01)
      expect(video.height * scale).toBeGreaterThanOrEqual(tile.height - 0.01)
      expect(tile.width / (video.width * scale)).toBeGreaterThanOrEqual(0.55)
    }
    expect(zoomOf(HD, { width: 100, height: 700 }, FILL_CROP)).toBeCloseTo(1 / 0.55)
  })

  it('cuts the height in wide tiles, else the width', () => {
    expect(isHeightCut(HD, { width: 1000, height: 100 })).toBe(true)
    expect(isHeightCut(HD, { width: 400, height: 300 })).toBe(false)
  })

  it('is 1 before the size is known', () => {
    expect(zoomOf({ width: 0, height: 0 }, { width: 10, height: 10 })).toBe(1)
  })
})
