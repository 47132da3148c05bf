/** The scroll metrics of an element. */
export type ScrollBox = Pick<Element, 'scrollTop' | 'scrollHeight' | 'clientHeight'>

/** This close to the end counts as the end. */
const NEAR_PX = 32

/**
 * Whether a log is at its end, where it follows what comes. A scroll event can be older than the size that the log has
 * meanwhile: the page lays itself out again between the two while its window is being resized. Then the distance to the
 * end says nothing about what the user wants.
 */
export class ScrollFollower {
  #isAtEnd = true
  #height = 0
  #content = 0
  #top = 0

  get isAtEnd(): boolean {
    return this.#isAtEnd
  }

  /** Call it when the log or its content has another size. */
  follow(log: ScrollBox): void {
    if (this.#hasScrolledUp(log)) this.#isAtEnd = false
    if (this.#isAtEnd) log.scrollTop = log.scrollHeight
    this.#height = log.clientHeight
    this.#content = log.scrollHeight
    this.#top = log.scrollTop
  }

  /** Browsers report scrolling with the next frame: content can come before. They scroll up themselves only to fill the log. */
  #hasScrolledUp({ scrollTop, scrollHeight, clientHeight }: ScrollBox): boolean {
    const isFilled = clientHeight <= this.#height && scrollHeight >= this.#content
    return isFilled && scrollTop < this.#top - 1
  }

  /** `hasNewer`: the log ends before the newest message, so that its end is none to follow. */
  onScroll(log: ScrollBox, hasNewer = false): void {
    const isResized = log.clientHeight !== this.#height || log.scrollHeight !== this.#content
    if (!this.#isAtEnd || !isResized) this.stay(log, hasNewer)
    else this.follow(log)
  }

  /** The log is where it is meant to be. */
  stay(log: ScrollBox, hasNewer: boolean): void {
    const isNear = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_PX
    this.#isAtEnd = isNear && !hasNewer
    this.#top = log.scrollTop
    this.follow(log)
  }

  toEnd(log: ScrollBox): void {
    log.scrollTop = log.scrollHeight
    this.stay(log, false)
  }
}
