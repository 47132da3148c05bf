import type { Lifetime } from '@lectern/common'
import type { Readable } from '@lectern/control-client'
import type { Target } from '@lectern/protocol/control/client'
import type { Membership } from '../membership.ts'
import { type Control, sessionTarget } from '../ports.ts'
import type { MediaState } from './media-connection.ts'
import type { Subscriptions } from './subscriptions.ts'

/** In device pixels; null: not visible. On a slow connection, videos of high priority are received before others. */
export type DisplaySize = { width: number; height: number; priority?: 'normal' | 'high' } | null

/** Sizes change quickly while a window is resized. */
const SETTLE_MS = 200

/**
 * Reports the display size of each video to the server, which then forwards no larger layer, and nothing of videos
 * that are not visible. A video that appears or disappears is reported at once; of one that is offered the report
 * precedes the answer, so that nothing of a hidden video is ever sent.
 */
export class DisplaySizes {
  readonly #control: Control
  readonly #membership: Membership
  /** By publication. */
  #sizes: ReadonlyMap<string, DisplaySize> = new Map()
  /** Last reported size by consumer: another consumer of the same publication starts without one. */
  readonly #reported = new Map<string, DisplaySize>()
  /** Reports without an answer, by publication. */
  readonly #pending = new Map<string, AbortController>()
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

  /** The sizes of all known videos. The server decides about others. */
  readonly show = (sizes: ReadonlyMap<string, DisplaySize>): void => {
    this.#sizes = new Map([...sizes].map(([id, size]) => [id, size && rounded(size)]))
    this.#update()
  }

  /** False when the video is not visible, so no frames are expected. */
  readonly isDisplayed = (publicationId: string): boolean => this.#sizes.get(publicationId) !== null

  #attach(state: MediaState): void {
    this.#unsubscribe()
    this.#reported.clear()
    this.#subscriptions = state.is === 'open' ? state.endpoint.subscriptions : null
    this.#unsubscribe = this.#subscriptions?.subscribe(() => this.#update()) ?? (() => {})
    this.#update()
  }

  #update(): void {
    clearTimeout(this.#timer)
    this.#report(({ before, after }) => !before || !after)
    if (this.#changes().length > 0) this.#timer = setTimeout(() => this.#report(() => true), SETTLE_MS)
  }

  #report(isDue: (change: Change) => boolean): void {
    const membership = this.#membership.get()
    if (membership.is !== 'joined') return
    for (const change of this.#changes().filter(isDue))
      void this.#send(change, sessionTarget(membership.participant))
  }

  /** An earlier report that the server has postponed must not take effect after this one. */
  async #send({ publicationId, consumerId, after }: Change, target: Target): Promise<void> {
    this.#reported.set(consumerId, after)
    this.#pending.get(publicationId)?.abort()
    const pending = new AbortController()
    this.#pending.set(publicationId, pending)
    const body = { publication_id: publicationId, shown: after }
    try {
      await this.#control.command('media.set_layers', target, body, { signal: pending.signal })
    } catch {
      // The publication has ended, the connection is lost for long, or there is a newer report.
    } finally {
      if (this.#pending.get(publicationId) === pending) this.#pending.delete(publicationId)
    }
  }

  /** The changes that have not been reported. */
  #changes(): Change[] {
    const changes: Change[] = []
    for (const [publicationId, { consumerId }] of this.#subscriptions?.get() ?? []) {
      const after = this.#sizes.get(publicationId)
      const before = this.#reported.get(consumerId)
      if (after !== undefined && !isEqual(before, after))
        changes.push({ publicationId, consumerId, before, after })
    }
    return changes
  }
}

interface Change {
  publicationId: string
  consumerId: string
  /** Undefined: nothing was reported. */
  before: DisplaySize | undefined
  after: DisplaySize
}

const isEqual = (one: DisplaySize | undefined, other: DisplaySize) =>
  one === other ||
  (!!one &&
    !!other &&
    one.width === other.width &&
    one.height === other.height &&
    one.priority === other.priority)

const PIXELS_MAX = 16_384
const pixels = (length: number) => Math.min(Math.max(Math.round(length), 1), PIXELS_MAX)
const rounded = ({ width, height, ...rest }: NonNullable<DisplaySize>) => ({
  ...rest,
  width: pixels(width),
  height: pixels(height),
})
