import { type Address, readAddress } from '../address.ts'
import { Observable } from '../observable.ts'
import type { Visit } from '../visit.ts'

interface Visiting {
  is: 'visit'
  path: string
  visit: Visit
  /** Ends it, and whatever kept it fresh. */
  close: () => void
}

/** What the page shows. */
export type Here = { is: 'start' } | Visiting | { is: 'nowhere' }

type Frame = Pick<Window, 'addEventListener' | 'history' | 'location'>

/**
 * Where in the pages the visitor is. Going elsewhere loads nothing anew: where storage is blocked, whoever is
 * signed in would be so no more.
 */
export class Route extends Observable<Here> {
  readonly #frame: Frame
  readonly #open: (address: Address) => Here

  constructor(frame: Frame, open: (address: Address) => Here) {
    super(open(readAddress(frame.location.pathname)))
    this.#frame = frame
    this.#open = open
    frame.addEventListener('popstate', () => this.#show())
  }

  readonly go = (path: string): void => {
    this.#frame.history.pushState(null, '', path)
    this.#show()
  }

  #show(): void {
    const here = this.get()
    if (here.is === 'visit') here.close()
    this.set(this.#open(readAddress(this.#frame.location.pathname)))
  }
}
