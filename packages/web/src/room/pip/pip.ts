import { type Lifetime, Observable } from '@lectern/common'

export type PipState =
  | { is: 'closed' }
  /** A window with a document of its own, in which the page shows what it likes. */
  | { is: 'window'; window: Window }
  /** The browser shows one video element: this tile's, whatever is large later. */
  | { is: 'video'; tileId: string | null }

/** The picture-in-picture functions of the browser. Both reject when it refuses. */
export interface PipPage {
  /** Null where there is no Document Picture-in-Picture. */
  openWindow: (() => Promise<Window>) | null
  /** Null where there is no picture-in-picture of videos either. Of the tile, or where it has no video, of another one. */
  openVideo: ((tileId: string | null, onClosed: () => void) => Promise<OpenVideo>) | null
}

interface OpenVideo {
  tileId: string | null
  close: () => void
}

/** The large video in a small window above all others. */
export class Pip extends Observable<PipState> {
  readonly isSupported: boolean
  readonly #page: PipPage
  readonly #tileId: () => string | null
  #end = () => {}
  #isOver = false

  /** `tileId`: the tile that the viewer would see large. */
  constructor(page: PipPage, tileId: () => string | null, lifetime: Lifetime) {
    super({ is: 'closed' })
    this.#page = page
    this.#tileId = tileId
    this.isSupported = page.openWindow !== null || page.openVideo !== null
    lifetime.defer(() => {
      this.#isOver = true
      this.#end()
    })
  }

  /** To be called on a click, which browsers require. */
  readonly toggle = async (): Promise<void> => {
    if (this.get().is !== 'closed') return this.#end()
    const { openWindow, openVideo } = this.#page
    try {
      if (openWindow) this.#onWindow(await openWindow())
      else if (openVideo) this.#onVideo(await openVideo(this.#tileId(), this.#onClosed))
    } catch {
      this.#onClosed()
    }
    // The call has ended while the browser opened it.
    if (this.#isOver) this.#end()
  }

  #onWindow(opened: Window): void {
    opened.addEventListener('pagehide', this.#onClosed, { once: true })
    this.#end = () => opened.close()
    this.set({ is: 'window', window: opened })
  }

  #onVideo({ tileId, close }: OpenVideo): void {
    this.#end = close
    this.set({ is: 'video', tileId })
  }

  readonly #onClosed = (): void => {
    this.#end = () => {}
    this.set({ is: 'closed' })
  }
}
