import type { BoardPage } from '@lectern/protocol/control/client'
import type { Size } from '../../stage/layout/geometry.ts'

/** In layout pixels, as what follows: a button, the width of the tools, and the height of the line below the page. */
const BUTTON = 44
const TOOLS = BUTTON + 8
/** All tools one below the other; in less they are behind one button. */
const ALL_TOOLS = 12 * BUTTON
const UPRIGHT_TO = 1.15
const NARROW_TO = 480

export interface BoardLayout {
  /** The place of the tools; null: this person does not draw. */
  tools: 'beside' | 'below' | null
  /** There is no space for all tools. */
  isShort: boolean
  /** For the page, and the size at which it is whole there. */
  area: Size
  content: Size
  /** The size of a tile without empty bars. */
  wanted: Size
}

/** How a tile is divided between tools, page and the line below it. `unit`: the CSS pixels of a layout pixel. */
export function layoutBoard(tile: Size, page: BoardPage, mayDraw: boolean, unit = 1): BoardLayout {
  const isUpright = tile.width < tile.height * UPRIGHT_TO || tile.width < NARROW_TO * unit
  const tools = mayDraw ? (isUpright ? 'below' : 'beside') : null
  const across = tools === 'beside' ? TOOLS * unit : 0
  const down = (BUTTON + (tools === 'below' ? TOOLS : 0)) * unit
  const area = { width: Math.max(tile.width - across, 1), height: Math.max(tile.height - down, 1) }
  const scale = Math.min(area.width / page.width, area.height / page.height)
  const content = { width: page.width * scale, height: page.height * scale }
  return {
    tools,
    isShort: (tools === 'below' ? tile.width : tile.height) < ALL_TOOLS * unit,
    area,
    content,
    wanted: isUpright
      ? { width: tile.width, height: (tile.width * page.height) / page.width + down }
      : { width: (area.height * page.width) / page.height + across, height: area.height + down },
  }
}
