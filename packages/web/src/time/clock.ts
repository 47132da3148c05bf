import { Observable } from '@lectern/common'

/** The time in milliseconds, updated every second while it has subscribers. */
class Clock extends Observable<number> {
  #ticking: ReturnType<typeof setInterval> | undefined

  constructor() {
    super(Date.now())
  }

  readonly #tick = () => this.set(Date.now())

  protected override onFirstSubscribe(): void {
    this.#tick()
    this.#ticking = setInterval(this.#tick, 1000)
  }

  protected override onLastUnsubscribe(): void {
    clearInterval(this.#ticking)
  }
}

export const clock = new Clock()
