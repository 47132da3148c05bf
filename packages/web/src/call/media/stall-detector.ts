import { type Lifetime, Observable } from '@lectern/common'
import type { Readable } from '@lectern/control-client'
import type { MediaState } from './media-connection.ts'
import type { RemoteTracks } from './remote-media.ts'
import type { Subscription } from './subscriptions.ts'

const POLL_MS = 100
/** Speech arrives every 20 ms. */
const STALL_MIN_MS = 400
/** In silence a sender sends a packet every 400 ms only. */
const INTERVALS_OF_STALL = 2.5
/** How quickly a longer interval is forgotten, for each packet that is noticed. */
const FORGETTING = 0.9
/** A track that has not flowed cannot stall. */
const FLOWS_AFTER = 10
/** While there is no news, each costs time, and a few speak for all. */
const OBSERVED_MAX = 8

interface StallDetectorOptions {
  media: Readable<MediaState>
  remote: Readable<RemoteTracks>
  /** Called once for each stall. */
  onStall: () => void
}

/**
 * Whether audio has stopped although others send it. When the address of this computer changes behind a router, browsers
 * notice that after 2.5 s and more; this takes half a second.
 */
export class StallDetector extends Observable<boolean> {
  readonly #parts: StallDetectorOptions
  #newest = 0
  /** The one that had news last: in a conversation most polls ask no other. */
  #speaker = ''
  #progressAtMs = 0
  #progresses = 0
  #intervalMs = 0

  constructor(parts: StallDetectorOptions, lifetime: Lifetime) {
    super(false)
    this.#parts = parts
    lifetime.defer(parts.media.subscribe(() => this.#reset()))
    const timer = setInterval(() => this.#poll(), POLL_MS)
    lifetime.defer(() => clearInterval(timer))
  }

  #poll(): void {
    const media = this.#parts.media.get()
    if (media.is !== 'open' || !this.#isExpected()) {
      this.#reset()
      return
    }
    const nowMs = performance.now()
    if (this.#hasNews(media.endpoint.subscriptions.get())) this.#onAudio(nowMs)
    else this.#onNothing(nowMs)
  }

  #hasNews(subscriptions: ReadonlyMap<string, Subscription>): boolean {
    const isNewer = (id: string) => {
      const timestamp = subscriptions.get(id)?.lastFrameTimestamp() ?? 0
      if (timestamp <= this.#newest) return false
      this.#newest = timestamp
      this.#speaker = id
      return true
    }
    if (isNewer(this.#speaker)) return true
    const audio = [...subscriptions].filter(([, { track }]) => track.kind === 'audio')
    return audio.slice(-OBSERVED_MAX).some(([id]) => isNewer(id))
  }

  #onAudio(nowMs: number): void {
    const intervalMs = nowMs - this.#progressAtMs
    if (this.get()) this.#progresses = 0
    else if (this.#progresses > 0) this.#intervalMs = Math.max(intervalMs, this.#intervalMs * FORGETTING)
    this.#progressAtMs = nowMs
    this.#progresses += 1
    this.set(false)
  }

  #onNothing(nowMs: number): void {
    const toleratedMs = Math.max(STALL_MIN_MS, this.#intervalMs * INTERVALS_OF_STALL)
    if (this.get() || this.#progresses < FLOWS_AFTER || nowMs - this.#progressAtMs < toleratedMs) return
    this.set(true)
    this.#parts.onStall()
  }

  #isExpected(): boolean {
    return [...this.#parts.remote.get().values()].some(
      ({ microphone, screen_audio }) => microphone?.paused === false || screen_audio?.paused === false,
    )
  }

  #reset(): void {
    this.#progresses = 0
    this.#intervalMs = 0
    this.set(false)
  }
}
