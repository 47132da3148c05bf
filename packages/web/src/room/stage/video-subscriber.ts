import type { Lifetime } from '@lectern/common'
import type { Readable } from '@lectern/control-client'
import type { Call } from '../../call/call.ts'
import type { DisplaySize } from '../../call/media/display-sizes.ts'
import type { Size } from './layout/geometry.ts'
import type { StageState } from './stage-view.ts'
import type { Tile } from './tiles/tiles.ts'

interface VideoSubscriberParts {
  call: Call
  stage: Readable<StageState>
  isPageVisible: Readable<boolean>
}

/** Determines what is received: of the others' videos exactly the visible tiles, in their size. Audio is always received. */
export class VideoSubscriber {
  readonly #parts: VideoSubscriberParts
  #pip: { size: Size; tileId: string | undefined } | null = null
  /** By how much a viewer has enlarged the videos of tiles. */
  readonly #zooms = new Map<string, number>()

  constructor(parts: VideoSubscriberParts, lifetime: Lifetime) {
    this.#parts = parts
    for (const each of [parts.stage, parts.isPageVisible])
      lifetime.defer(each.subscribe(() => this.#update()))
  }

  /**
   * The size of the picture-in-picture window, which is visible also while the tab is not; null: there is none.
   * Without a tile it shows the one that the stage proposes, which changes.
   */
  readonly setPip = (size: Size | null, tileId?: string): void => {
    this.#pip = size && { size, tileId }
    this.#update()
  }

  /** An enlarged video is received in the size that it would need without its frame. */
  readonly setZoom = (tileId: string, factor: number): void => {
    if ((this.#zooms.get(tileId) ?? 1) === factor) return
    if (factor === 1) this.#zooms.delete(tileId)
    else this.#zooms.set(tileId, factor)
    this.#update()
  }

  #update(): void {
    const { call, stage } = this.#parts
    const { tiles, pixelRatio } = stage.get()
    if (pixelRatio === null) return
    const sizes = new Map<string, DisplaySize>()
    for (const tile of tiles)
      if (tile.video) sizes.set(tile.video.publicationId, this.#displaySize(tile, pixelRatio))
    call.displaySizes.show(sizes)
  }

  #displaySize({ id, is, participant }: Tile, pixelRatio: number): DisplaySize {
    const { rects, pip } = this.#parts.stage.get()
    const rect = this.#parts.isPageVisible.get() ? rects.get(id) : undefined
    const inPip = id === (this.#pip?.tileId ?? pip) ? this.#pip?.size : null
    const zoom = this.#zooms.get(id) ?? 1
    const width = Math.max((rect?.width ?? 0) * zoom, inPip?.width ?? 0) * pixelRatio
    const height = Math.max((rect?.height ?? 0) * zoom, inPip?.height ?? 0) * pixelRatio
    // The camera of the moderator has priority over the others; screens have priority over all cameras anyway.
    const isFirst = is === 'person' && participant.role === 'moderator'
    return width && height ? { width, height, ...(isFirst && { priority: 'high' as const }) } : null
  }
}
