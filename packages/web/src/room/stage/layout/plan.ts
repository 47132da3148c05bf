import type { LayoutName } from '../selection/layout.ts'
import type { Tile } from '../tiles/tiles.ts'
import { coveredBy, FACE_CROP, FILL_CROP } from '../video/video-zoom.ts'
import { BOARD_TILE } from './board-tile.ts'
import { USUAL_RATIO } from './content.ts'
import { GAP, PAGER, type Rect, type Size } from './geometry.ts'
import { arrangeGrid, gridCapacity, PAGE_MAX } from './grid.ts'
import { type Corner, ownViewRect, withOwnView } from './own-view.ts'
import { NARROWEST } from './portrait.ts'
import { arrangeStrip, type StripSide } from './strip.ts'

export interface PlanInput {
  size: Size
  tiles: readonly Tile[]
  /** The id of the large tile; null: all are equal. */
  large: string | null
  layout: LayoutName
  /** The requested page, from 0; the last one if there are fewer. */
  page: number
  showsOwnView: boolean
  /** The ratios of the videos that are known, by tile. */
  ratios: ReadonlyMap<string, number>
  /** The present place of the strip. */
  side: StripSide | null
  /** The place of the small own view. */
  corner: Corner
  /** The participant who comes first beside the large tile of a presentation. */
  speaker: string | null
  /** The account of the person in the spotlight, who comes first where somebody's screen is large. */
  spotlit: string | null
}

export interface StagePlan {
  /** Tiles without a rectangle are not visible. */
  rects: ReadonlyMap<string, Rect>
  large: string | null
  /** The rectangle of the note for a participant who is alone. */
  waiting: Rect | null
  /** The own tile lies over the large one. */
  overlay: string | null
  /** Null: everything is visible. */
  pager: Pager | null
  /** Null: there is no strip. */
  side: StripSide | null
  /** Cameras fill their tiles although more of them is cut off: an upright stage would be mostly bars. */
  isFilled: boolean
}

export interface Pager {
  rect: Rect
  /** From 0. */
  page: number
  pages: number
  /** The number of tiles that are not visible. */
  more: number
}

/** Up to this ratio a half of the stage shows about as much of one of two people as the whole stage would. */
const HALVED_TO = 0.95
/** In a presentation few people are beside the large tile. */
const PRESENTATION_STRIP = 2

const NOTHING: StagePlan = {
  rects: new Map(),
  large: null,
  waiting: null,
  overlay: null,
  pager: null,
  side: null,
  isFilled: false,
}

/** The position of each visible tile. */
export function planStage(input: PlanInput): StagePlan {
  const { size, large, showsOwnView } = input
  if (size.width <= 0 || size.height <= 0) return NOTHING
  const tiles = input.tiles.filter(({ id, isMe }) => !isMe || showsOwnView || id === large)
  if (isPair(input)) return withoutBars(planPair(input, tiles), input)
  return withoutBars(large === null ? planGrid(input, tiles) : planStrip(input, tiles, large), input)
}

/**
 * The tiles of people end where their videos do, except that a camera which stands is shown whole in a tile that lies. The
 * own view and the other one of two people are beside each other where there is space.
 */
function withoutBars(plan: StagePlan, { tiles, ratios, corner }: PlanInput): StagePlan {
  const rects = new Map(plan.rects)
  const { overlay } = plan
  for (const { id, is } of tiles) {
    const [rect, ratio] = [rects.get(id), ratios.get(id)]
    if (is !== 'person' || id === overlay || !rect || ratio === undefined) continue
    if (!plan.isFilled && ratio < 1 && rect.width > rect.height) continue
    const shown = coveredBy({ width: ratio, height: 1 }, rect, plan.isFilled ? FILL_CROP : FACE_CROP)
    const centred = {
      ...shown,
      left: rect.left + (rect.width - shown.width) / 2,
      top: rect.top + (rect.height - shown.height) / 2,
    }
    const own = overlay === null ? undefined : rects.get(overlay)
    const placed = own ? withOwnView(rect, centred, own, corner) : { picture: centred, own }
    rects.set(id, placed.picture)
    if (overlay !== null && placed.own) rects.set(overlay, placed.own)
  }
  return { ...plan, rects }
}

/** Of the tiles below a large one: cameras that lie fill those, as far as enough of their width is seen. */
function narrowestOf(tiles: readonly Tile[], ratios: PlanInput['ratios']): number {
  const known = tiles.flatMap(({ id }) => ratios.get(id) ?? [])
  const widest = known.length > 0 ? Math.max(...known) : USUAL_RATIO
  return Math.max(NARROWEST, widest * (1 - FILL_CROP.width))
}

/** One or two people without a screen or a board; the own tile is not pinned. */
function isPair({ tiles, large }: PlanInput): boolean {
  const own = tiles.find(({ isMe }) => isMe)
  if (large === BOARD_TILE) return false
  return tiles.length <= 2 && tiles.every(({ is }) => is === 'person') && own?.id !== large
}

/**
 * The other person, or the note that nobody else is there, has the whole stage, and the own view is small. On an upright
 * stage both have a half of it, until the other one is enlarged.
 */
function planPair({ size, large, ratios, corner }: PlanInput, tiles: readonly Tile[]): StagePlan {
  const other = tiles.find(({ isMe }) => !isMe)
  const own = tiles.find(({ isMe }) => isMe)
  const whole = { left: 0, top: 0, ...size }
  const isFilled = size.width < size.height * HALVED_TO
  const isHalved = isFilled && own !== undefined && large === null
  const half = { ...whole, height: (size.height - GAP) / 2 }
  const rects = new Map<string, Rect>()
  if (other) rects.set(other.id, isHalved ? half : whole)
  if (own)
    rects.set(
      own.id,
      isHalved ? { ...half, top: half.height + GAP } : ownViewRect(size, ratios.get(own.id) ?? null, corner),
    )
  return {
    ...NOTHING,
    rects,
    large: isHalved ? null : (other?.id ?? null),
    waiting: other ? null : isHalved ? half : whole,
    overlay: isHalved ? null : (own?.id ?? null),
    isFilled,
  }
}

function planGrid({ size, page }: PlanInput, tiles: readonly Tile[]): StagePlan {
  if (tiles.length <= gridCapacity(size)) {
    const rects = placed(first(tiles, isOtherModerator), arrangeGrid(size, tiles.length))
    return { ...NOTHING, rects }
  }
  const usable = { width: size.width, height: size.height - PAGER }
  const capacity = gridCapacity(usable)
  const { shown, ...position } = pageOf(
    withOwnLast(first(handsFirst(tiles), isOtherModerator), capacity),
    capacity,
    page,
  )
  const rect = { left: 0, top: usable.height + GAP, width: size.width, height: PAGER - GAP }
  return {
    ...NOTHING,
    rects: placed(shown, arrangeGrid(usable, shown.length)),
    pager: { rect, ...position },
  }
}

function planStrip(input: PlanInput, tiles: readonly Tile[], large: string): StagePlan {
  const { size, page, layout, speaker, spotlit, ratios, side } = input
  const others = tiles.filter(({ id }) => id !== large)
  const isPresentation = layout === 'presentation'
  const arranged = arrangeStrip(size, others.length, {
    limit: isPresentation ? PRESENTATION_STRIP : PAGE_MAX - 1,
    content: {
      ratio: ratios.get(large) ?? USUAL_RATIO,
      isScreen: large === BOARD_TILE || tiles.some(({ id, is }) => id === large && is === 'screen'),
    },
    narrowest: narrowestOf(others, ratios),
    side,
  })
  const capacity = arranged.strip.length
  const isSpeaker = ({ participant }: Tile) => isPresentation && participant.participant_id === speaker
  const isSpotlit = ({ is, participant }: Tile) => is === 'person' && participant.user_id === spotlit
  const people = arranged.pager ? handsFirst(first(others, isSpeaker)) : others
  const inOrder = first(isPresentation ? people : first(people, isOtherModerator), isSpotlit)
  const ordered = arranged.pager ? withOwnLast(inOrder, capacity) : inOrder
  const { shown, ...position } = pageOf(ordered, capacity, page)
  const rects = placed(shown, arranged.strip)
  rects.set(large, arranged.large)
  return {
    ...NOTHING,
    rects,
    large,
    pager: arranged.pager && { rect: arranged.pager, ...position },
    side: arranged.side,
    isFilled: arranged.side === 'below',
  }
}

/** Those of the kind before the others. */
const first = (tiles: readonly Tile[], isOf: (tile: Tile) => boolean): readonly Tile[] => [
  ...tiles.filter(isOf),
  ...tiles.filter(tile => !isOf(tile)),
]

/** Whoever leads the class is seen by the others, however late they have come. */
const isOtherModerator = ({ is, isMe, participant }: Tile) =>
  is === 'person' && !isMe && participant.role === 'moderator'

/** People with raised hands are on the first page, in the order of the hands. */
function handsFirst(tiles: readonly Tile[]): readonly Tile[] {
  const raisedAt = ({ is, participant }: Tile) =>
    (is === 'person' ? participant.hand_raised_at_ms : null) ?? Number.POSITIVE_INFINITY
  return [...tiles].sort((one, other) =>
    raisedAt(one) < raisedAt(other) ? -1 : Number(raisedAt(one) > raisedAt(other)),
  )
}

/**
 * The own tile is the last one of the first page. Where a page has one tile only, the others come before it: people look
 * at others first.
 */
function withOwnLast(tiles: readonly Tile[], capacity: number): readonly Tile[] {
  const own = tiles.find(({ isMe }) => isMe)
  if (!own) return tiles
  const others = tiles.filter(tile => tile !== own)
  const before = capacity > 1 ? capacity - 1 : others.length
  return [...others.slice(0, before), own, ...others.slice(before)]
}

function pageOf(tiles: readonly Tile[], capacity: number, requested: number) {
  const pages = Math.max(Math.ceil(tiles.length / Math.max(capacity, 1)), 1)
  const page = Math.min(requested, pages - 1)
  const shown = tiles.slice(page * capacity, (page + 1) * capacity)
  return { shown, page, pages, more: tiles.length - shown.length }
}

function placed(tiles: readonly Tile[], rects: readonly Rect[]): Map<string, Rect> {
  const places = new Map<string, Rect>()
  rects.forEach((rect, index) => {
    const tile = tiles[index]
    if (tile) places.set(tile.id, rect)
  })
  return places
}

/** The plan of a stage that is larger by the factor. */
export function scalePlan(plan: StagePlan, by: number): StagePlan {
  const scaled = ({ left, top, width, height }: Rect): Rect => ({
    left: left * by,
    top: top * by,
    width: width * by,
    height: height * by,
  })
  const { rects, waiting, pager } = plan
  return {
    ...plan,
    rects: new Map([...rects].map(([id, rect]) => [id, scaled(rect)])),
    waiting: waiting && scaled(waiting),
    pager: pager && { ...pager, rect: scaled(pager.rect) },
  }
}
