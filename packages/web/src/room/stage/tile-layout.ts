import { arrangeEqual, arrangeLarge, type Rect, type Size } from './arrange.ts'
import type { Tile } from './tiles.ts'

/** More than these would be too small to tell who it is. */
const MAX_EQUAL_TILES = 25

export interface TileLayout {
  rects: ReadonlyMap<string, Rect>
  /** Tiles that there is no room for. */
  more: number
}

/** Where each tile stands. Whoever is alone sees where the next one will be. */
export function layOutTiles(
  size: Size,
  tiles: readonly Tile[],
  large: string | null,
  isAlone: boolean,
): TileLayout {
  const places = new Map<string, Rect>()
  if (size.width === 0 || size.height === 0) return { rects: places, more: 0 }
  const ids = tiles.map(({ id }) => id)
  if (isAlone && large === null) ids.push('alone')
  const rest = ids.filter(id => id !== large)
  const put = (rects: readonly Rect[]) => {
    rects.forEach((rect, index) => {
      const id = rest[index]
      if (id !== undefined) places.set(id, rect)
    })
  }
  if (large === null) put(arrangeEqual(size, Math.min(rest.length, MAX_EQUAL_TILES)))
  else {
    const arranged = arrangeLarge(size, rest.length)
    places.set(large, arranged.large)
    put(arranged.strip)
  }
  return { rects: places, more: ids.length - places.size }
}
