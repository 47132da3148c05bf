import { contentRect } from '../../pointer/letterbox.ts'
import type { Size } from './geometry.ts'

/** The height of the line with the name of the presenter, in layout pixels. */
export const NAME_LINE = 40
/** In lower tiles nobody reads the screen; the name is over it there. */
const READABLE_FROM = 210

/**
 * The part of a tile in which a screen is shown: without the line of the name, which covers no part of the screen.
 * `unit`: the CSS pixels of a layout pixel.
 */
export function screenArea(screen: Size, tile: Size, unit = 1): Size {
  const line = NAME_LINE * unit
  const bar = contentRect(screen, tile)?.top ?? 0
  const hasSpace = bar >= line || tile.height < READABLE_FROM * unit
  return { width: tile.width, height: hasSpace ? tile.height : tile.height - line }
}
