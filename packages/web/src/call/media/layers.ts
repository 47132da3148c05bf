import type { Readable } from '@lectern/control-client'
import type { Lifetime } from '../lifetime.ts'
import type { Membership } from '../membership.ts'
import { type Control, sessionTarget } from '../ports.ts'
import type { MediaState } from './media-connection.ts'
import type { Subscriptions } from './subscriptions.ts'

/** In device pixels; null: not shown at all. */
export type Shown = { width: number; height: number } | null

/** While a window is dragged or a grid rearranges itself, sizes are not worth telling. */
const SETTLES_WITHIN_MS = 200

/** Tells the server how large each picture is shown, so that it sends no more than is seen. */
export class Layers {
  readonly #control: Control
  readonly #membership: Membership
  readonly #wanted = new Map<string, Shown>()
  /** What the server knows, by consumer: another consumer of the same publication starts anew. */
  readonly #told = new Map<string, string>()
  #subscriptions: Subscriptions | null = null
  #unsubscribe = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(control: Control, media: Readable<MediaState>, membership: Membership, life: Lifetime) {
    this.#control = control
    this.#membership = membership
    life.own(media.subscribe(() => this.#attach(media.get())))
    life.own(() => this.#attach({ is: 'closed' }))
    life.own(() => clearTimeout(this.#timer))
  }

  readonly setShown = (publicationId: string, shown: Shown): void => {
    this.#wanted.set(publicationId, shown && rounded(shown))
    this.#soon()
  }

  /** False where nothing is to come, because nobody sees it here. */
  readonly isShown = (publicationId: string): boolean => this.#wanted.get(publicationId) !== null

  #attach(state: MediaState): void {
    this.#unsubscribe()
    this.#told.clear()
    this.#subscriptions = state.is === 'open' ? state.endpoint.subscriptions : null
    this.#unsubscribe = this.#subscriptions?.subscribe(() => this.#soon()) ?? (() => {})
    if (this.#subscriptions) this.#soon()
  }

  #soon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#tell(), SETTLES_WITHIN_MS)
  }

  #tell(): void {
    const membership = this.#membership.get()
    if (membership.is !== 'inside') return
    for (const [publication_id, { consumerId }] of this.#subscriptions?.get() ?? []) {
      const shown = this.#wanted.get(publication_id)
      const news = JSON.stringify(shown)
      if (shown === undefined || this.#told.get(consumerId) === news) continue
      this.#told.set(consumerId, news)
      const body = { publication_id, shown }
      // A publication that has ended meanwhile is refused, and shown no more.
      this.#control.command('media.set_layers', sessionTarget(membership.place), body).catch(() => {})
    }
  }
}

const PIXELS_MAX = 16_384
const pixels = (length: number) => Math.min(Math.max(Math.round(length), 1), PIXELS_MAX)
const rounded = ({ width, height }: NonNullable<Shown>) => ({ width: pixels(width), height: pixels(height) })
