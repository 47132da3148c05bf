import { type Lifetime, Observable } from '@lectern/common'
import type { Readable } from '@lectern/control-client'
import type { Call } from '../../call/call.ts'
import type { DisplaySize } from '../../call/media/display-sizes.ts'
import type { Size } from './geometry.ts'
import { chooseLarge } from './large-tile.ts'
import type { Layout } from './layout.ts'
import type { OwnViewSetting } from './own-view-setting.ts'
import { planStage, type StagePlan } from './plan.ts'
import type { Spotlight } from './spotlight.ts'
import { type Tile, tilesOf } from './tiles.ts'

export interface StageState extends StagePlan {
  /** All tiles in the order of the document, also those that are not visible. */
  tiles: readonly Tile[]
}

interface Parts {
  call: Call
  spotlight: Spotlight
  layout: Layout
  ownView: OwnViewSetting
  isPageVisible: Readable<boolean>
}

const NOTHING: StageState = {
  tiles: [],
  rects: new Map(),
  large: null,
  waiting: null,
  overlay: null,
  pager: null,
}

/**
 * What this viewer sees: the tiles and their rectangles. It also decides what is received: of the others' videos
 * exactly those of visible tiles, in their size. Audio is always received.
 */
export class StageView extends Observable<StageState> {
  readonly #parts: Parts
  #size: Size = { width: 0, height: 0 }
  #pixelRatio = 1
  #page = 0

  constructor(parts: Parts, lifetime: Lifetime) {
    super(NOTHING)
    this.#parts = parts
    const { call, spotlight, layout, ownView, isPageVisible } = parts
    for (const each of [call, call.remote, spotlight, ownView, isPageVisible])
      lifetime.defer(each.subscribe(() => this.#update()))
    lifetime.defer(layout.subscribe(() => this.showPage(0)))
  }

  /** In CSS pixels, with the number of device pixels in each. */
  readonly setSize = (size: Size, pixelRatio: number): void => {
    this.#size = size
    this.#pixelRatio = pixelRatio
    this.#update()
  }

  /** Beyond the last page the first one follows. */
  readonly showPage = (page: number): void => {
    const pages = this.get().pager?.pages ?? 1
    this.#page = page < pages ? Math.max(page, 0) : 0
    this.#update()
  }

  #update(): void {
    const { call, spotlight, layout, ownView } = this.#parts
    const state = call.get()
    if (state.is !== 'joined') return
    const { me, session } = state
    const tiles = tilesOf(session, me, call.remote.get())
    const plan = planStage({
      size: this.#size,
      tiles,
      large: chooseLarge(tiles, session, spotlight.get(), layout.get()),
      layout: layout.get(),
      page: this.#page,
      showsOwnView: ownView.get(),
      speaker: spotlight.get().speaker,
    })
    this.#page = plan.pager?.page ?? 0
    this.set({ tiles, ...plan })
    if (this.#size.width > 0) call.displaySizes.show(this.#displaySizes(tiles, plan))
  }

  /** Of every remote video, by publication. */
  #displaySizes(tiles: readonly Tile[], { rects }: StagePlan): ReadonlyMap<string, DisplaySize> {
    const sizes = new Map<string, DisplaySize>()
    for (const { id, video } of tiles) {
      if (!video) continue
      const rect = this.#parts.isPageVisible.get() ? rects.get(id) : undefined
      const [width, height] = [rect?.width ?? 0, rect?.height ?? 0].map(each => each * this.#pixelRatio)
      sizes.set(video.publicationId, rect && width && height ? { width, height } : null)
    }
    return sizes
  }
}
