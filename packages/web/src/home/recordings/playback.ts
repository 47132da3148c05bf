import { interruptibleSleep, Observable } from '@lectern/common'

/** `failed`: the browser cannot play the file, or no link is given. */
export type PlaybackState = { is: 'loading' } | { is: 'ready'; url: string } | { is: 'failed' }

/** A link that fails this soon after it was given has not expired. */
const FRESH_MS = 20_000

/** Without network, and while the server restarts, no link is given for a while. */
const RETRIES_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000]

/** The address of a playing file. Links expire after a few minutes, so an error in the meantime gets another one. */
export class Playback extends Observable<PlaybackState> {
  readonly #link: () => Promise<string | null>
  readonly #now: () => number
  readonly #pause: (ms: number, signal: AbortSignal) => Promise<unknown>
  readonly #closed = new AbortController()
  #linkedAtMs = Number.NEGATIVE_INFINITY
  #hasPlayed = false

  constructor(link: () => Promise<string | null>, now = Date.now, pause = interruptibleSleep) {
    super({ is: 'loading' })
    this.#link = link
    this.#now = now
    this.#pause = pause
  }

  /** Requests no further link. */
  readonly close = (): void => this.#closed.abort()

  readonly start = async (): Promise<void> => {
    const url = await this.#requestLink()
    this.#linkedAtMs = this.#now()
    this.#hasPlayed = false
    this.set(url === null ? { is: 'failed' } : { is: 'ready', url })
  }

  /** The element has loaded the beginning of the file. */
  readonly markPlayable = (): void => {
    this.#hasPlayed = true
  }

  /** The element reports an error. True: another link follows, and playing may continue. */
  readonly handleError = async (): Promise<boolean> => {
    const isFresh = this.#now() - this.#linkedAtMs < FRESH_MS
    if (isFresh && !this.#hasPlayed) {
      this.set({ is: 'failed' })
      return false
    }
    await this.start()
    return this.get().is === 'ready'
  }

  async #requestLink(): Promise<string | null> {
    const { signal } = this.#closed
    for (const waitMs of RETRIES_MS) {
      const url = await this.#link()
      if (url !== null || signal.aborted) return url
      await this.#pause(waitMs, signal)
    }
    return this.#link()
  }
}
