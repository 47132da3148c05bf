import { Emitter, Observable } from '@lectern/common'

export interface RoomEnd {
  /** The user has left, rather than that the conference is over. */
  isOwnChoice: boolean
  /** No other page is shown instead. */
  isPageKept: boolean
}

/** In which conference this page is; null: in none. */
export class CurrentRoom extends Observable<{ tag: string } | null> {
  readonly #ended = new Emitter<{ tag: string } & RoomEnd>()

  constructor() {
    super(null)
  }

  /** The page is in the conference no more. Not emitted when the page is reloaded. */
  readonly onEnd = this.#ended.on.bind(this.#ended)

  readonly enter = (tag: string): void => this.set({ tag })

  readonly end = (how: RoomEnd): void => {
    const room = this.get()
    if (!room) return
    this.set(null)
    this.#ended.emit({ ...room, ...how })
  }
}
