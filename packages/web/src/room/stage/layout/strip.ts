import { areaOf, type Content, pictureIn, USUAL_RATIO } from './content.ts'
import { clamp, GAP, PAGER, type Rect, type Size, TALLEST, WIDEST } from './geometry.ts'
import { arrangePortrait, isPortrait } from './portrait.ts'
import { NAME_LINE } from './screen-area.ts'

export type StripSide = 'beside' | 'above' | 'below'

export interface StripArrangement {
  large: Rect
  strip: Rect[]
  /** The place of the page buttons; null: all others are in the strip. */
  pager: Rect | null
  side: StripSide
}

export interface StripOptions {
  /** The most tiles in the strip. */
  limit?: number
  /** The content of the large tile. */
  content?: Content
  /** Width by height of the narrowest tile below the large one. */
  narrowest?: number
  /** The present place of the strip. It moves only for a picture that is clearly larger. */
  side?: StripSide | null
}

/** The strip is beside the large tile or above it. */
interface Axis {
  side: 'beside' | 'above'
  /** The side of the stage that the large tile and the strip share. */
  shared: number
  /** The length of the strip. */
  length: number
  /** Smallest and largest size of a tile across the strip, in layout pixels. */
  min: number
  max: number
  /** Which share of the stage the strip may have, by its number of lines. */
  shares: readonly [number, number]
  /** Smallest and largest size of a tile along the strip, by that across it. */
  along: readonly [number, number]
}

interface Lines {
  axis: Axis
  lines: 1 | 2
  shown: number
  /** Smallest and largest size of a tile across the strip. */
  across: readonly [number, number]
  isWhole: boolean
}

const COUNTS = [1, 2] as const
/** By how much the area of the picture must grow for the strip to move. */
const HYSTERESIS = 1.08
/** A picture of this share of the largest one suffices, if all others are visible then: of a person, and of a screen. */
const WHOLE_SHARE_MIN = { person: 0.6, screen: 0.7 }
/** Of two plans whose pictures differ by less than this share, the one with more people beside it is better. */
const EQUAL = 0.01
/** By how much larger tiles are in two lines that are worth a smaller picture. */
const SECOND_LINE_FROM = 1.3
const PERSON: Content = { ratio: USUAL_RATIO, isScreen: false }

/**
 * One large tile, and the others in a strip: all of them if they fit, and where the picture of the large tile is
 * largest.
 */
export function arrangeStrip(stage: Size, others: number, options: StripOptions = {}): StripArrangement {
  const { limit = others, content = PERSON, narrowest, side = null } = options
  if (others === 0)
    return { large: { left: 0, top: 0, ...stage }, strip: [], pager: null, side: side ?? 'beside' }
  if (isPortrait(stage))
    return { ...arrangePortrait(stage, others, limit, content, narrowest), side: 'below' }
  const arranged = axesOf(stage)
    .flatMap(axis => linesOf(axis, others, limit, content.isScreen))
    .map(lines => place(stage, lines, content))
  const rank = ({ large, side: on }: StripArrangement) =>
    areaOf(pictureIn(large, content)) * (on === side ? HYSTERESIS : 1)
  const isBetter = (next: StripArrangement, one: StripArrangement) =>
    Math.abs(rank(next) - rank(one)) < EQUAL * rank(one)
      ? next.strip.length > one.strip.length
      : rank(next) > rank(one)
  const best = arranged.reduce((one, next) => (isBetter(next, one) ? next : one))
  // All others are visible, unless they would leave too little.
  const share = WHOLE_SHARE_MIN[content.isScreen ? 'screen' : 'person']
  const whole = arranged.filter(each => each.pager === null && rank(each) > share * rank(best))
  return whole.reduce((one, next) => (rank(next) > rank(one) ? next : one), whole[0] ?? best)
}

const axesOf = ({ width, height }: Size): readonly Axis[] => [
  {
    side: 'beside',
    shared: width,
    length: height,
    min: 120,
    max: 400,
    shares: [0.22, 0.32],
    along: [1 / WIDEST, 1 / WIDEST],
  },
  {
    side: 'above',
    shared: height,
    length: width,
    min: 72,
    max: 240,
    shares: [0.25, 0.34],
    along: [TALLEST, WIDEST],
  },
]

/** The lines in which all fit; else those with the most tiles. */
function linesOf(axis: Axis, others: number, limit: number, isScreen: boolean): Lines[] {
  const fitting = COUNTS.flatMap(lines => (limit < others ? [] : (fitAll(axis, others, lines) ?? [])))
  const [one, two] = fitting
  if (one) return isScreen || !two ? fitting : [two.across[1] > SECOND_LINE_FROM * one.across[1] ? two : one]
  const most = COUNTS.flatMap(lines => fitMost(axis, limit, lines) ?? [])
  // If all would be too small, all may still fit at the smallest size.
  const paged = most.map(each => (each.shown < others ? each : { ...each, shown: others, isWhole: true }))
  return isScreen ? paged : paged.slice(-1)
}

const mostAcross = ({ shared, shares, max }: Axis, lines: 1 | 2) =>
  Math.min((shared * (shares[lines - 1] ?? 0) - (lines - 1) * GAP) / lines, max)

/** Null: the tiles would be too small. */
function fitAll(axis: Axis, others: number, lines: 1 | 2): Lines | null {
  const perLine = Math.ceil(others / lines)
  const along = (axis.length - (perLine - 1) * GAP) / perLine
  const across = Math.min(mostAcross(axis, lines), along / axis.along[0])
  return across < axis.min ? null : { axis, lines, shown: others, across: [axis.min, across], isWhole: true }
}

/** The most tiles, of the smallest size; null: the second line has no space or no tiles. */
function fitMost(axis: Axis, limit: number, lines: 1 | 2): Lines | null {
  const length = usableLength(axis, false)
  const perLine = Math.max(Math.floor((length + GAP) / (axis.min * axis.along[0] + GAP)), 1)
  if (lines === 2 && (mostAcross(axis, 2) < axis.min || limit <= perLine)) return null
  const shown = Math.min(perLine * lines, limit)
  const inLine = Math.ceil(shown / lines)
  const along = (length - (inLine - 1) * GAP) / inLine
  const across = Math.max(Math.min(mostAcross(axis, lines), along / axis.along[0]), axis.min)
  return { axis, lines, shown, across: [axis.min, across], isWhole: false }
}

/** The page buttons are at the end of a strip beside the large tile, and below one above it. */
const usableLength = ({ side, length }: Axis, isWhole: boolean) =>
  side === 'beside' && !isWhole ? length - PAGER : length

function place(stage: Size, strip: Lines, content: Content): StripArrangement {
  const { axis, lines, shown, isWhole } = strip
  const isBeside = axis.side === 'beside'
  const pager = isBeside || isWhole ? 0 : PAGER
  const across = acrossFor(strip, content, pager)
  const thickness = lines * across + (lines - 1) * GAP
  const usable = usableLength(axis, isWhole)
  const perLine = Math.ceil(shown / lines)
  const along = clamp((usable + GAP) / perLine - GAP, across * axis.along[0], across * axis.along[1])
  const large = axis.shared - thickness - GAP - pager
  const rectOf = (index: number): Rect => {
    const line = Math.floor(index / perLine)
    // A second column begins in the row of the first one, and a second row is centred as in the grid.
    const inLine = isBeside ? perLine : Math.min(perLine, shown - line * perLine)
    const step = along + GAP
    const start = (usable - inLine * step + GAP) / 2 + (index % perLine) * step
    const beside = line * (across + GAP)
    return isBeside
      ? { left: large + GAP + beside, top: start, width: across, height: along }
      : { left: start, top: beside, width: along, height: across }
  }
  const height = PAGER - GAP
  const pagerRect = isBeside
    ? { left: large + GAP, top: stage.height - height, width: thickness, height }
    : { left: 0, top: thickness + GAP, width: stage.width, height }
  return {
    large: isBeside
      ? { left: 0, top: 0, width: large, height: stage.height }
      : { left: 0, top: stage.height - large, width: stage.width, height: large },
    strip: Array.from({ length: shown }, (_, index) => rectOf(index)),
    pager: isWhole ? null : pagerRect,
    side: axis.side,
  }
}

/** Beside a screen the tiles have what it leaves; beside a person they are as large as possible. */
function acrossFor({ axis, lines, across: [min, max] }: Lines, content: Content, pager: number): number {
  if (!content.isScreen) return max
  const available = axis.shared - pager - GAP
  const most = available - lines * min - (lines - 1) * GAP
  const isBeside = axis.side === 'beside'
  const tile = isBeside ? { width: most, height: axis.length } : { width: axis.length, height: most }
  const picture = pictureIn(tile, content)
  const needed = isBeside ? picture.width : picture.height + NAME_LINE
  return clamp((available - needed - (lines - 1) * GAP) / lines, min, max)
}
