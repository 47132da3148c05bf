import type { Lifetime } from '@lectern/common'
import { Observable } from '@lectern/common'

/** As much of a document as this needs. */
export type FullscreenPage = Pick<
  Document,
  'addEventListener' | 'exitFullscreen' | 'fullscreenElement' | 'removeEventListener'
> & { documentElement: Pick<HTMLElement, 'requestFullscreen'> }

/**
 * Whether the room takes all there is: the screen, or where a browser or a frame does not give that, the window.
 * The whole page goes along, so nothing in it is moved and no picture stops.
 */
export class Fullscreen extends Observable<boolean> {
  readonly #page: FullscreenPage

  constructor(page: FullscreenPage, lifetime: Lifetime) {
    super(false)
    this.#page = page
    const follow = () => this.set(this.#hasScreen)
    page.addEventListener('fullscreenchange', follow)
    lifetime.defer(() => page.removeEventListener('fullscreenchange', follow))
    lifetime.defer(() => void this.#leave())
  }

  readonly toggle = (): Promise<void> => (this.get() ? this.#leave() : this.#enter())

  async #enter(): Promise<void> {
    try {
      await this.#page.documentElement.requestFullscreen()
    } catch {
      this.set(true)
    }
  }

  async #leave(): Promise<void> {
    // The event says the rest.
    if (this.#hasScreen) await this.#page.exitFullscreen().catch(() => {})
    else this.set(false)
  }

  /** An iPhone knows nothing of it at all. */
  get #hasScreen(): boolean {
    return Boolean(this.#page.fullscreenElement)
  }
}
