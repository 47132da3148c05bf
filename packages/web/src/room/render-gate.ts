import { type Lifetime, Observable } from '@lectern/common'
import type { Call } from '../call/call.ts'

/** A room without the others is better than none. */
const LONGEST_MS = 300

/**
 * Whether the room is rendered. The first rendering occupies the thread of the page for as long as the negotiation of the
 * first tracks needs it in short steps. It follows them and the answers that they are received with, and overlaps with the
 * handshake and the first key frame: whoever joins sees the others sooner.
 */
export class RenderGate extends Observable<boolean> {
  readonly #call: Call
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(call: Call, lifetime: Lifetime) {
    super(false)
    this.#call = call
    for (const each of [call, call.media, call.remote]) lifetime.defer(each.subscribe(() => this.#update()))
    lifetime.defer(() => clearTimeout(this.#timer))
  }

  #update(): void {
    if (this.get() || this.#call.get().is !== 'joined') return
    if (this.#isNegotiated()) this.#openAfter(0)
    else if (this.#timer === undefined) this.#openAfter(LONGEST_MS)
  }

  /** Even after no time the rendering is a task of its own, which what goes out now does not wait for. */
  #openAfter(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.set(true), ms)
  }

  /** Offers that arrive together are negotiated together: the first track is enough. */
  #isNegotiated(): boolean {
    const { is } = this.#call.media.get()
    if (is === 'waiting' || is === 'unavailable') return true
    const tracks = [...this.#call.remote.get().values()].flatMap(sources => Object.values(sources))
    return is === 'open' && (tracks.length === 0 || tracks.some(({ track }) => track !== null))
  }
}
