import { type Lifetime, Observable } from '@lectern/common'
import type { Readable } from '@lectern/control-client'
import type { Call } from '../../call/call.ts'
import { BOARD_TILE } from './layout/board-tile.ts'
import type { Size } from './layout/geometry.ts'
import { type Corner, FIRST_CORNER } from './layout/own-view.ts'
import { planStage, type StagePlan, scalePlan } from './layout/plan.ts'
import { chooseLarge } from './selection/large-tile.ts'
import type { Layout } from './selection/layout.ts'
import type { OwnViewSetting } from './selection/own-view-setting.ts'
import type { Spotlight } from './selection/spotlight.ts'
import { type Tile, tileIdOf, tilesOf } from './tiles/tiles.ts'

export interface StageState extends StagePlan {
  /** All tiles in the order of the document, also those that are not visible. */
  tiles: readonly Tile[]
  /** The CSS pixels of a layout pixel: text and controls grow with the window, and so does what is planned for them. */
  unit: number
  /** The corner of the small own view. */
  corner: Corner
  /** Device pixels in each CSS pixel; null: the stage has no size yet. */
  pixelRatio: number | null
  /** The tile for a picture-in-picture window, whatever the layout is. */
  pip: string | null
}

interface StageViewParts {
  call: Call
  spotlight: Spotlight
  layout: Layout
  ownView: OwnViewSetting
  /** Whether the presenter points at the own screen, which is the large tile then. */
  pointing: Readable<boolean>
  /** Whether the board is the large tile. */
  board: Readable<{ isOpen: boolean }>
}

/** Sizes of layers are rounded to whole pixels. */
const RATIO_STEP = 0.02

const NOTHING: StageState = {
  tiles: [],
  rects: new Map(),
  large: null,
  waiting: null,
  overlay: null,
  pager: null,
  side: null,
  isFilled: false,
  corner: FIRST_CORNER,
  unit: 1,
  pixelRatio: null,
  pip: null,
}

/** The view of this viewer: the tiles and their rectangles. */
export class StageView extends Observable<StageState> {
  readonly #parts: StageViewParts
  #size: Size = { width: 0, height: 0 }
  #pixelRatio = 1
  #unit = 1
  #page = 0
  #corner = FIRST_CORNER
  /** The ratios of the videos, by tile. */
  readonly #ratios = new Map<string, number>()

  constructor(parts: StageViewParts, lifetime: Lifetime) {
    super(NOTHING)
    this.#parts = parts
    const { call, spotlight, layout, ownView, pointing, board } = parts
    for (const each of [call, call.remote, spotlight, ownView, pointing, board])
      lifetime.defer(each.subscribe(() => this.#update()))
    lifetime.defer(layout.subscribe(() => this.showPage(0)))
  }

  /** In CSS pixels, with the number of device pixels in each, and of CSS pixels in a layout pixel. */
  readonly setSize = (size: Size, pixelRatio: number, unit = 1): void => {
    this.#size = size
    this.#pixelRatio = pixelRatio
    this.#unit = unit
    this.#update()
  }

  /** The size of the video of a tile, whenever it changes. The layers of a camera have the same ratio. */
  readonly setVideoSize = (tileId: string, { width, height }: Size): void => {
    const ratio = width / height
    const before = this.#ratios.get(tileId) ?? 0
    if (!(width > 0 && height > 0) || Math.abs(ratio - before) < RATIO_STEP * ratio) return
    this.#ratios.set(tileId, ratio)
    this.#update()
  }

  /** Moves the small own view, as the viewer has dragged it. */
  readonly moveOwnView = (corner: Corner): void => {
    this.#corner = corner
    this.#update()
  }

  /** Beyond the last page the first one follows. */
  readonly showPage = (page: number): void => {
    const pages = this.get().pager?.pages ?? 1
    this.#page = page < pages ? Math.max(page, 0) : 0
    this.#update()
  }

  #update(): void {
    const { call, spotlight, layout, ownView, pointing, board } = this.#parts
    const state = call.get()
    if (state.is !== 'joined') return
    const { me, session } = state
    const isPointing = pointing.get()
    const tiles = tilesOf(session, me, call.remote.get(), isPointing)
    const unit = this.#unit
    const planned = planStage({
      size: { width: this.#size.width / unit, height: this.#size.height / unit },
      tiles,
      large: isPointing
        ? tileIdOf('screen', me.participant_id)
        : board.get().isOpen && tiles.every(({ id }) => id !== spotlight.get().pinned)
          ? BOARD_TILE
          : chooseLarge(tiles, session, spotlight.get(), layout.get()),
      layout: layout.get(),
      page: this.#page,
      showsOwnView: ownView.get(),
      ratios: this.#ratios,
      side: this.get().side,
      corner: this.#corner,
      speaker: spotlight.get().speaker,
      spotlit: session.spotlight_user_id,
    })
    const plan = scalePlan(planned, unit)
    this.#page = plan.pager?.page ?? 0
    const others = tiles.filter(({ isMe }) => !isMe)
    const pip = chooseLarge(others, session, spotlight.get(), 'speaker') ?? others[0]?.id ?? null
    const pixelRatio = this.#size.width > 0 ? this.#pixelRatio : null
    this.set({ tiles, ...plan, corner: this.#corner, unit, pixelRatio, pip })
  }
}
