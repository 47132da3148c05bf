import { GAP, type Rect, type Size, TALLEST, WIDEST } from './geometry.ts'

/** More tiles on a page would be too small to recognise anybody. */
export const PAGE_MAX = 49
/** The smallest tile in which a face and a name can be recognised, in layout pixels. */
const CELL_MIN: Size = { width: 112, height: 80 }

/** How many tiles one page of the grid has space for; at least one, at most 49. */
export function gridCapacity(stage: Size): number {
  for (let count = PAGE_MAX; count > 1; count--) {
    const { width, height } = bestCell(stage, count)
    if (width >= CELL_MIN.width && height >= CELL_MIN.height) return count
  }
  return 1
}

/** Tiles of equal size, as large as the stage allows. A single one takes all of it. */
export function arrangeGrid(stage: Size, count: number): Rect[] {
  if (count === 1) return [{ left: 0, top: 0, ...stage }]
  const { columns, width, height } = bestCell(stage, count)
  const rows = Math.ceil(count / columns)
  const top = (stage.height - rows * height - (rows - 1) * GAP) / 2
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / columns)
    const inRow = Math.min(columns, count - row * columns)
    const left = (stage.width - inRow * width - (inRow - 1) * GAP) / 2
    return {
      left: left + (index % columns) * (width + GAP),
      top: top + row * (height + GAP),
      width,
      height,
    }
  })
}

function bestCell(stage: Size, count: number): Size & { columns: number } {
  let best = { columns: 1, ...cellOf(stage, 1, count) }
  for (let columns = 2; columns <= count; columns++) {
    const cell = cellOf(stage, columns, Math.ceil(count / columns))
    if (cell.width * cell.height > best.width * best.height) best = { columns, ...cell }
  }
  return best
}

function cellOf(stage: Size, columns: number, rows: number): Size {
  const width = (stage.width - (columns - 1) * GAP) / columns
  const height = (stage.height - (rows - 1) * GAP) / rows
  if (width > height * WIDEST) return { width: height * WIDEST, height }
  return width < height * TALLEST ? { width, height: width / TALLEST } : { width, height }
}
