import { arrangeEqual, arrangeLarge, type Rect, type Size } from './arrange.ts'
import type { Tile } from './tiles.ts'

/** More tiles would be too small to recognise anybody. */
const MAX_EQUAL_TILES = 25

export interface TileLayout {
  rects: ReadonlyMap<string, Rect>
  /** The number of tiles that do not fit. */
  more: number
}

/** The position of each tile. A participant who is alone has a second tile for the next one. */
export function layOutTiles(
  size: Size,
  tiles: readonly Tile[],
  large: string | null,
  isAlone: boolean,
): TileLayout {
  const rects = new Map<string, Rect>()
  if (size.width === 0 || size.height === 0) return { rects, more: 0 }
  const ids = tiles.map(({ id }) => id)
  if (isAlone && large === null) ids.push('alone')
  const rest = ids.filter(id => id !== large)
  const assign = (arranged: readonly Rect[]) => {
    arranged.forEach((rect, index) => {
      const id = rest[index]
      if (id !== undefined) rects.set(id, rect)
    })
  }
  if (large === null) assign(arrangeEqual(size, Math.min(rest.length, MAX_EQUAL_TILES)))
  else {
    const arranged = arrangeLarge(size, rest.length)
    rects.set(large, arranged.large)
    assign(arranged.strip)
  }
  return { rects, more: ids.length - rects.size }
}
