import { expect, it } from 'vitest'
import { cameraTileSize, layOut } from './layout.ts'
import { HEIGHT, WIDTH } from './video-format.ts'

const faces = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `Person ${index}`, colour: index, video: null }))
const screen = { is: 'screen' as const, name: 'Screen', colour: 0, video: 'screen.rtp' }

it.each([
  ['alone', 1, false],
  ['two', 2, false],
  ['three', 3, false],
  ['seven', 7, false],
  ['nine', 9, false],
  ['a screen alone', 0, true],
  ['a screen and four', 4, true],
])('places all tiles inside the frame, disjoint, at even coordinates: %s', (_, count, hasScreen) => {
  const tiles = layOut(faces(count), hasScreen ? screen : null)
  expect(tiles).toHaveLength(count + (hasScreen ? 1 : 0))
  for (const tile of tiles) {
    expect([tile.x % 2, tile.y % 2, tile.width % 2, tile.height % 2]).toEqual([0, 0, 0, 0])
    expect(Math.min(tile.x, tile.y)).toBeGreaterThanOrEqual(0)
    expect(tile.x + tile.width).toBeLessThanOrEqual(WIDTH)
    expect(tile.y + tile.height).toBeLessThanOrEqual(HEIGHT)
  }
  for (const a of tiles)
    for (const b of tiles)
      if (a !== b) {
        const apart =
          a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
        expect(apart).toBe(true)
      }
})

it('gives the screen most of the frame', () => {
  const [large] = layOut(faces(2), screen)
  expect(large).toMatchObject({ is: 'screen' })
  expect((large?.width ?? 0) * (large?.height ?? 0)).toBeGreaterThan(0.5 * WIDTH * HEIGHT)
})

it('is empty without participants', () => {
  expect(layOut([], null)).toEqual([])
})

it.each([
  [1, false, 1236],
  [2, false, 622],
  [12, false, 398],
  [3, true, 272],
  [0, false, 1236],
])(
  'returns the displayed width of a camera among %i participants, with a shared screen: %s',
  (people, hasScreen, width) => {
    expect(cameraTileSize(people, hasScreen).width).toBe(width)
  },
)
