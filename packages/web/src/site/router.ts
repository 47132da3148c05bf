import { Observable } from '@lectern/common'
import { type Address, readAddress } from '../address.ts'
import type { Visit } from '../visit.ts'

interface VisitRoute {
  is: 'visit'
  path: string
  visit: Visit
  /** Ends it, and whatever kept it fresh. */
  close: () => void
}

/** What the page shows. */
export type Route = { is: 'start' } | VisitRoute | { is: 'not-found' }

type RouterWindow = Pick<Window, 'addEventListener' | 'history' | 'location'>

/**
 * Where in the pages the visitor is. Going elsewhere loads nothing anew: where storage is blocked, whoever is
 * signed in would be so no more.
 */
export class Router extends Observable<Route> {
  readonly #window: RouterWindow
  readonly #open: (address: Address) => Route

  constructor(frame: RouterWindow, open: (address: Address) => Route) {
    super(open(readAddress(frame.location.pathname)))
    this.#window = frame
    this.#open = open
    frame.addEventListener('popstate', () => this.#update())
  }

  readonly go = (path: string): void => {
    this.#window.history.pushState(null, '', path)
    this.#update()
  }

  #update(): void {
    const here = this.get()
    if (here.is === 'visit') here.close()
    this.set(this.#open(readAddress(this.#window.location.pathname)))
  }
}
