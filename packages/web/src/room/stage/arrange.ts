export interface Size {
  width: number
  height: number
}

export interface Rect extends Size {
  left: number
  top: number
}

/** Videos are cropped between these ratios, never stretched. */
const WIDEST = 16 / 9
const TALLEST = 4 / 3
const GAP = 8
/** Share of the longer side of the stage. */
const STRIP_SHARE = 0.2
const STRIP_MIN = 88
const STRIP_MAX = 320

/** Tiles of equal size, as large as the stage allows. */
export function arrangeEqual(stage: Size, count: number): Rect[] {
  let best = { columns: 1, ...cellOf(stage, 1, count) }
  for (let columns = 2; columns <= count; columns++) {
    const cell = cellOf(stage, columns, Math.ceil(count / columns))
    if (cell.width * cell.height > best.width * best.height) best = { columns, ...cell }
  }
  const { columns, width, height } = best
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

/** One large tile, the others in a strip next to or below it: as many as fit. */
export function arrangeLarge(stage: Size, others: number): { large: Rect; strip: Rect[] } {
  if (others === 0) return { large: { left: 0, top: 0, ...stage }, strip: [] }
  const isWide = stage.width > stage.height * 1.2
  const long = isWide ? stage.width : stage.height
  const across = Math.min(Math.max(long * STRIP_SHARE, STRIP_MIN), STRIP_MAX)
  const cell = isWide
    ? { width: across, height: across / WIDEST }
    : { width: across * TALLEST, height: across }
  const step = (isWide ? cell.height : cell.width) + GAP
  const length = isWide ? stage.height : stage.width
  const shown = Math.min(others, Math.max(Math.floor((length + GAP) / step), 1))
  const start = (length - shown * step + GAP) / 2
  const rest = long - across - GAP
  return {
    large: isWide
      ? { left: 0, top: 0, width: rest, height: stage.height }
      : { left: 0, top: 0, width: stage.width, height: rest },
    strip: Array.from({ length: shown }, (_, index) => {
      const along = start + index * step
      return isWide ? { left: rest + GAP, top: along, ...cell } : { left: along, top: rest + GAP, ...cell }
    }),
  }
}

function cellOf(stage: Size, columns: number, rows: number): Size {
  const width = (stage.width - (columns - 1) * GAP) / columns
  const height = (stage.height - (rows - 1) * GAP) / rows
  if (width > height * WIDEST) return { width: height * WIDEST, height }
  return width < height * TALLEST ? { width, height: width / TALLEST } : { width, height }
}
