import { type Lifetime, Observable } from '@lectern/common'
import type { Readable } from '@lectern/control-client'
import type { Call } from '../../call/call.ts'
import type { DisplaySize } from '../../call/media/display-sizes.ts'
import type { Size } from './geometry.ts'
import { chooseLarge } from './large-tile.ts'
import type { Layout } from './layout.ts'
import type { OwnViewSetting } from './own-view-setting.ts'
import { planStage, type StagePlan, scalePlan } from './plan.ts'
import type { Spotlight } from './spotlight.ts'
import { type Tile, tileIdOf, tilesOf } from './tiles.ts'

export interface StageState extends StagePlan {
  /** All tiles in the order of the document, also those that are not visible. */
  tiles: readonly Tile[]
  /** The CSS pixels of a layout pixel: text and controls grow with the window, and so does what is planned for them. */
  unit: number
  /** The tile for a picture-in-picture window, whatever the layout is. */
  pip: string | null
}

interface Parts {
  call: Call
  spotlight: Spotlight
  layout: Layout
  ownView: OwnViewSetting
  /** Whether the presenter points at the own screen, which is the large tile then. */
  pointing: Readable<boolean>
  isPageVisible: Readable<boolean>
}

const NOTHING: StageState = {
  tiles: [],
  rects: new Map(),
  large: null,
  waiting: null,
  overlay: null,
  pager: null,
  unit: 1,
  pip: null,
}

/**
 * What this viewer sees: the tiles and their rectangles. It also decides what is received: of the others' videos
 * exactly those of visible tiles, in their size. Audio is always received.
 */
export class StageView extends Observable<StageState> {
  readonly #parts: Parts
  #size: Size = { width: 0, height: 0 }
  #pixelRatio = 1
  #unit = 1
  #page = 0
  #pipSize: Size | null = null
  #ownVideo: Size | null = null

  constructor(parts: Parts, lifetime: Lifetime) {
    super(NOTHING)
    this.#parts = parts
    const { call, spotlight, layout, ownView, pointing, isPageVisible } = parts
    for (const each of [call, call.remote, spotlight, ownView, pointing, isPageVisible])
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

  /** The size of the picture-in-picture window, which is visible also while the tab is not; null: there is none. */
  readonly setPip = (size: Size | null): void => {
    this.#pipSize = size
    this.#update()
  }

  /** The size of the own video, whenever it changes. */
  readonly setOwnVideo = (size: Size): void => {
    if (size.width <= 0 || size.height <= 0) return
    this.#ownVideo = size
    this.#update()
  }

  /** Beyond the last page the first one follows. */
  readonly showPage = (page: number): void => {
    const pages = this.get().pager?.pages ?? 1
    this.#page = page < pages ? Math.max(page, 0) : 0
    this.#update()
  }

  #update(): void {
    const { call, spotlight, layout, ownView, pointing } = this.#parts
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
        : chooseLarge(tiles, session, spotlight.get(), layout.get()),
      layout: layout.get(),
      page: this.#page,
      showsOwnView: ownView.get(),
      ownVideo: this.#ownVideo,
      speaker: spotlight.get().speaker,
    })
    const plan = scalePlan(planned, unit)
    this.#page = plan.pager?.page ?? 0
    const others = tiles.filter(({ isMe }) => !isMe)
    const pip = chooseLarge(others, session, spotlight.get(), 'speaker') ?? others[0]?.id ?? null
    this.set({ tiles, ...plan, unit, pip })
    if (this.#size.width > 0) call.displaySizes.show(this.#displaySizes())
  }

  /** Of every remote video, by publication. */
  #displaySizes(): ReadonlyMap<string, DisplaySize> {
    const { tiles, rects, pip } = this.get()
    const sizes = new Map<string, DisplaySize>()
    for (const { id, is, participant, video } of tiles) {
      if (!video) continue
      const rect = this.#parts.isPageVisible.get() ? rects.get(id) : undefined
      const inPip = id === pip ? this.#pipSize : null
      const [width, height] = (['width', 'height'] as const).map(
        side => Math.max(rect?.[side] ?? 0, inPip?.[side] ?? 0) * this.#pixelRatio,
      )
      // The camera of the moderator has priority over the others; screens have priority over all cameras anyway.
      const isFirst = is === 'person' && participant.role === 'moderator'
      const shown = width && height ? { width, height, ...(isFirst && { priority: 'high' as const }) } : null
      sizes.set(video.publicationId, shown)
    }
    return sizes
  }
}
