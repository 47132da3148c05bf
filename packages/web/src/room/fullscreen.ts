import { type Lifetime, Observable } from '@lectern/common'

/** The part of a document that this needs. */
export type FullscreenPage = Pick<
  Document,
  'addEventListener' | 'exitFullscreen' | 'fullscreenElement' | 'removeEventListener'
> & { documentElement: Pick<HTMLElement, 'requestFullscreen'> }

/**
 * Whether the room fills the screen, or where the browser or a frame does not allow that, the window. The whole
 * page becomes full screen, so that no video element is moved and interrupted.
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
    // The event updates the value.
    if (this.#hasScreen) await this.#page.exitFullscreen().catch(() => {})
    else this.set(false)
  }

  /** iPhones do not support the API. */
  get #hasScreen(): boolean {
    return Boolean(this.#page.fullscreenElement)
  }
}
