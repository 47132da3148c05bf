import { describe, expect, it } from 'vitest'
import { contentRect } from '../../pointer/letterbox.ts'
import { screenArea } from './screen-area.ts'

const SCREENS = [
  { width: 1920, height: 1080 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]
const TILES = [
  { width: 304, height: 300 },
  { width: 374, height: 560 },
  { width: 640, height: 270 },
  { width: 1000, height: 770 },
  { width: 1416, height: 796 },
]

describe('screenArea', () => {
  it('leaves a line below the screen for the name, whatever the shapes of screen and tile', () => {
    for (const screen of SCREENS)
      for (const tile of TILES) {
        const content = contentRect(screen, screenArea(screen, tile))
        expect(tile.height - (content?.top ?? 0) - (content?.height ?? 0)).toBeGreaterThanOrEqual(40)
      }
  })

  it('is the whole tile where the bars of the screen have space for the name, and where the tile is small', () => {
    const [wide] = SCREENS
    if (!wide) throw new Error('no screen')
    for (const tile of [
      { width: 374, height: 560 },
      { width: 160, height: 90 },
    ])
      expect(screenArea(wide, tile)).toEqual(tile)
  })
})
