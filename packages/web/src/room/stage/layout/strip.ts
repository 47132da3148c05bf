import { GAP, PAGER, type Rect, type Size, TALLEST, WIDEST } from './geometry.ts'

/** The strip is beside the large tile on a wide stage, and below it on a high one. */
interface Axis {
  isWide: boolean
  /** The side of the stage that the large tile and the strip share. */
  shared: number
  /** The length of the strip. */
  length: number
  /** Smallest and largest size of a tile across the strip, in layout pixels. */
  min: number
  max: number
  /** Which share of the stage the strip may have, by its number of lines. */
  shares: readonly [number, number]
  /** From the size of a tile across the strip to that along it. */
  along(across: number): number
  across(along: number): number
}

interface Lines {
  lines: 1 | 2
  /** The size of a tile across the strip. */
  across: number
  shown: number
}

export interface StripArrangement {
  large: Rect
  strip: Rect[]
  /** Where the page buttons are; null: all others are in the strip. */
  pager: Rect | null
}

/** Beyond this ratio a stage is wide. */
const WIDE_FROM = 1.2

/** One large tile, and the others in a strip of one or two lines: as many as fit, at most `limit`. */
export function arrangeStrip(stage: Size, others: number, limit = others): StripArrangement {
  if (others === 0) return { large: { left: 0, top: 0, ...stage }, strip: [], pager: null }
  const axis = axisOf(stage)
  const most = fitMost(axis, limit)
  // Where all would be too small, all may still fit at the smallest size.
  const whole =
    limit < others
      ? null
      : (fitAll(axis, others) ?? (most.shown >= others ? { ...most, shown: others } : null))
  const { lines, across, shown } = whole ?? most
  const thickness = lines * across + (lines - 1) * GAP
  const pagerBelow = whole || axis.isWide ? 0 : PAGER
  const large = axis.shared - thickness - GAP - pagerBelow
  const usable = axis.isWide && !whole ? axis.length - PAGER : axis.length
  const place = (index: number): Rect => {
    const perLine = Math.ceil(shown / lines)
    const line = Math.floor(index / perLine)
    // A second column begins in the row of the first one, and a second row is centred as in the grid.
    const inLine = axis.isWide ? perLine : Math.min(perLine, shown - line * perLine)
    const step = axis.along(across) + GAP
    const along = (usable - inLine * step + GAP) / 2 + (index % perLine) * step
    const beside = large + GAP + line * (across + GAP)
    return axis.isWide
      ? { left: beside, top: along, width: across, height: axis.along(across) }
      : { left: along, top: beside, width: axis.along(across), height: across }
  }
  return {
    large: axis.isWide
      ? { left: 0, top: 0, width: large, height: stage.height }
      : { left: 0, top: 0, width: stage.width, height: large },
    strip: Array.from({ length: shown }, (_, index) => place(index)),
    pager: whole ? null : pagerOf(stage, axis, large, thickness),
  }
}

function axisOf(stage: Size): Axis {
  if (stage.width > stage.height * WIDE_FROM)
    return {
      isWide: true,
      shared: stage.width,
      length: stage.height,
      min: 120,
      max: 400,
      shares: [0.22, 0.32],
      along: across => across / WIDEST,
      across: along => along * WIDEST,
    }
  return {
    isWide: false,
    shared: stage.height,
    length: stage.width,
    min: 64,
    max: 240,
    shares: [0.25, 0.34],
    along: across => across * TALLEST,
    across: along => along / TALLEST,
  }
}

const mostAcross = ({ shared, shares, max }: Axis, lines: 1 | 2) =>
  Math.min((shared * (shares[lines - 1] ?? 0) - (lines - 1) * GAP) / lines, max)

/** The largest tiles of which all fit; null: they would be too small. */
function fitAll(axis: Axis, others: number): Lines | null {
  let best: Lines | null = null
  for (const lines of [1, 2] as const) {
    const perLine = Math.ceil(others / lines)
    const along = (axis.length - (perLine - 1) * GAP) / perLine
    const across = Math.min(mostAcross(axis, lines), axis.across(along))
    if (across >= axis.min && across > (best?.across ?? 0)) best = { lines, across, shown: others }
  }
  return best
}

/** The most tiles, of the smallest size. */
function fitMost(axis: Axis, limit: number): Lines {
  const length = axis.isWide ? axis.length - PAGER : axis.length
  const perLine = Math.max(Math.floor((length + GAP) / (axis.along(axis.min) + GAP)), 1)
  const lines = mostAcross(axis, 2) >= axis.min && limit > perLine ? 2 : 1
  const shown = Math.min(perLine * lines, limit)
  const along = (length - (Math.ceil(shown / lines) - 1) * GAP) / Math.ceil(shown / lines)
  const across = Math.max(Math.min(mostAcross(axis, lines), axis.across(along)), axis.min)
  return { lines, across, shown }
}

function pagerOf(stage: Size, { isWide }: Axis, large: number, thickness: number): Rect {
  const height = PAGER - GAP
  const top = stage.height - height
  return isWide
    ? { left: large + GAP, top, width: thickness, height }
    : { left: 0, top, width: stage.width, height }
}
