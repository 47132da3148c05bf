import type { Lifetime } from '@lectern/common'
import type { Readable } from '@lectern/control-client'
import type { Membership } from '../membership.ts'
import { type Control, sessionTarget } from '../ports.ts'
import type { MediaState } from './media-connection.ts'
import type { Subscriptions } from './subscriptions.ts'

/** In device pixels; null: not visible. */
export type DisplaySize = { width: number; height: number } | null

/** Sizes change quickly while a window is resized. */
const SETTLE_MS = 200

/** Reports the display size of each video to the server, which then forwards no larger layer. */
export class DisplaySizes {
  readonly #control: Control
  readonly #membership: Membership
  readonly #sizes = new Map<string, DisplaySize>()
  /** Last reported size by consumer: another consumer of the same publication starts without one. */
  readonly #reported = new Map<string, string>()
  #subscriptions: Subscriptions | null = null
  #unsubscribe = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(control: Control, media: Readable<MediaState>, membership: Membership, lifetime: Lifetime) {
    this.#control = control
    this.#membership = membership
    lifetime.defer(media.subscribe(() => this.#attach(media.get())))
    lifetime.defer(() => this.#attach({ is: 'closed' }))
    lifetime.defer(() => clearTimeout(this.#timer))
  }

  readonly set = (publicationId: string, shown: DisplaySize): void => {
    this.#sizes.set(publicationId, shown && rounded(shown))
    this.#schedule()
  }

  /** False when the video is not visible, so no frames are expected. */
  readonly isDisplayed = (publicationId: string): boolean => this.#sizes.get(publicationId) !== null

  #attach(state: MediaState): void {
    this.#unsubscribe()
    this.#reported.clear()
    this.#subscriptions = state.is === 'open' ? state.endpoint.subscriptions : null
    this.#unsubscribe = this.#subscriptions?.subscribe(() => this.#schedule()) ?? (() => {})
    if (this.#subscriptions) this.#schedule()
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#report(), SETTLE_MS)
  }

  #report(): void {
    const membership = this.#membership.get()
    if (membership.is !== 'joined') return
    for (const [publication_id, { consumerId }] of this.#subscriptions?.get() ?? []) {
      const shown = this.#sizes.get(publication_id)
      const size = JSON.stringify(shown)
      if (shown === undefined || this.#reported.get(consumerId) === size) continue
      this.#reported.set(consumerId, size)
      const body = { publication_id, shown }
      // Refused when the publication has ended meanwhile.
      this.#control.command('media.set_layers', sessionTarget(membership.participant), body).catch(() => {})
    }
  }
}

const PIXELS_MAX = 16_384
const pixels = (length: number) => Math.min(Math.max(Math.round(length), 1), PIXELS_MAX)
const rounded = ({ width, height }: NonNullable<DisplaySize>) => ({
  width: pixels(width),
  height: pixels(height),
})
