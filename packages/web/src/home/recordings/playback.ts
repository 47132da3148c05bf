import { Observable, singleFlight } from '@lectern/common'

/** `failed`: the browser cannot play the file. `lost`: the file cannot be reached; another start may reach it. */
export type PlaybackState = { is: 'loading' } | { is: 'ready'; url: string } | { is: 'failed' | 'lost' }

/** A link that fails this soon after it was given has not expired. */
const FRESH_MS = 20_000

/** The address of a playing file. Links expire after a few minutes, so an error in the meantime gets another one. */
export class Playback extends Observable<PlaybackState> {
  readonly #link: () => Promise<string | null>
  readonly #now: () => number
  #linkedAtMs = Number.NEGATIVE_INFINITY
  #hasPlayed = false
  /** One of the links led to something that the browser plays. */
  #canPlay = false

  constructor(link: () => Promise<string | null>, now = Date.now) {
    super({ is: 'loading' })
    this.#link = link
    this.#now = now
  }

  readonly start = singleFlight(async (): Promise<void> => {
    const url = await this.#link()
    this.#linkedAtMs = this.#now()
    this.#hasPlayed = false
    this.set(url === null ? { is: 'lost' } : { is: 'ready', url })
  })

  /** The element has loaded the beginning of the file. */
  readonly markPlayable = (): void => {
    this.#hasPlayed = true
    this.#canPlay = true
  }

  /** The element reports an error. True: another link follows, and playing may continue. */
  readonly handleError = async (): Promise<boolean> => {
    const isFresh = this.#now() - this.#linkedAtMs < FRESH_MS
    if (isFresh && !this.#hasPlayed) {
      this.set({ is: this.#canPlay ? 'lost' : 'failed' })
      return false
    }
    await this.start()
    return this.get().is === 'ready'
  }
}
