import { type Content, pictureIn, USUAL_RATIO } from './content.ts'
import { clamp, GAP, PAGER, type Rect, type Size, TALLEST, WIDEST } from './geometry.ts'
import { NAME_LINE } from './screen-area.ts'

/** Beyond this ratio a stage is a phone's, upright. */
const PORTRAIT_TO = 0.85
/** The height of a large person, by the width of the stage: lower where the others would have too little. */
const LARGE_MAX = 0.75
const LARGE_MIN = 1 / USUAL_RATIO
/** A screen that is high leaves something for the others. */
const SCREEN_MAX = 0.6
/** The smallest tile of the others, in layout pixels; their shapes, from an upright one to a camera's. */
const CELL_MIN: Size = { width: 116, height: 116 / TALLEST }
export const NARROWEST = 1 / TALLEST
/** From this number of others on there are three columns where they have space. */
const MANY = 7
const COLUMNS = 3
/** Others for whom the large one becomes lower. */
const ROWS_MIN = 2

export const isPortrait = ({ width, height }: Size): boolean => width < height * PORTRAIT_TO

interface Cells extends Size {
  columns: number
  rows: number
}

/** The large tile is above the others, who are in columns: three on a phone. `narrowest`: the shape of the narrowest tile. */
export function arrangePortrait(
  stage: Size,
  others: number,
  limit: number,
  content: Content,
  narrowest = NARROWEST,
): { large: Rect; strip: Rect[]; pager: Rect | null } {
  const [min, max] = heightsOf(stage, content)
  const columnsMax = Math.max(Math.floor((stage.width + GAP) / (CELL_MIN.width + GAP)), 1)
  const rowsFor = (height: number) => Math.floor((height + GAP) / (CELL_MIN.height + GAP))
  const minRows = Math.ceil(others / columnsMax)
  const heightOf = (rows: number) => rows * (CELL_MIN.height + GAP)
  const fits = stage.height - min >= heightOf(minRows)
  const isWhole = limit >= others && (fits || others === 1)
  const pagerHeight = isWhole ? 0 : PAGER
  const needed = heightOf(isWhole ? minRows : Math.min(ROWS_MIN, minRows)) + pagerHeight
  const largeHeight = clamp(stage.height - needed, min, max)
  const rest = { width: stage.width, height: stage.height - largeHeight - GAP - pagerHeight }
  const shown = isWhole ? others : Math.min(limit, columnsMax * Math.max(rowsFor(rest.height), 1))
  const { columns, rows, width, height } = bestCells(rest, shown, columnsMax, narrowest)
  const used = largeHeight + rows * (height + GAP) + pagerHeight
  const start = Math.max(stage.height - used, 0) / 2
  const strip = Array.from({ length: shown }, (_, index): Rect => {
    const row = Math.floor(index / columns)
    const inRow = Math.min(columns, shown - row * columns)
    const left = (stage.width - inRow * (width + GAP) + GAP) / 2
    return {
      left: left + (index % columns) * (width + GAP),
      top: start + largeHeight + GAP + row * (height + GAP),
      width,
      height,
    }
  })
  const pager = { left: 0, top: stage.height - PAGER + GAP, width: stage.width, height: PAGER - GAP }
  return {
    large: { left: 0, top: start, width: stage.width, height: largeHeight },
    strip,
    pager: isWhole ? null : pager,
  }
}

/** Smallest and largest height of the large tile. */
function heightsOf({ width, height }: Size, content: Content): [min: number, max: number] {
  if (!content.isScreen) return [width * LARGE_MIN, width * LARGE_MAX]
  const whole = pictureIn({ width, height: height * SCREEN_MAX }, content).height + NAME_LINE
  return [whole, whole]
}

/** The columns with the largest tiles; for many three at least. */
function bestCells(rest: Size, count: number, columnsMax: number, narrowest: number): Cells {
  let best: Cells | null = null
  const columnsMin = count >= MANY ? Math.min(COLUMNS, columnsMax) : 1
  for (let columns = columnsMin; columns <= Math.min(columnsMax, count); columns++) {
    const rows = Math.ceil(count / columns)
    const full = {
      width: (rest.width + GAP) / columns - GAP,
      height: Math.max((rest.height + GAP) / rows - GAP, 1),
    }
    const width = Math.min(full.width, full.height * WIDEST)
    const cells = { columns, rows, width, height: Math.min(full.height, width / narrowest) }
    if (!best || cells.width * cells.height > best.width * best.height) best = cells
  }
  return best ?? { columns: 1, rows: 1, width: 0, height: 0 }
}
