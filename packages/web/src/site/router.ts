import { Observable } from '@lectern/common'
import { type Address, type HomeAddress, readAddress } from '../address.ts'
import type { SsoReturn } from '../sso/single-sign-on.ts'
import type { Visit } from '../visit.ts'

interface VisitRoute {
  is: 'visit'
  path: string
  visit: Visit
  /** A signed link: the page shows nothing of the account that this browser is signed in with. */
  isPersonal: boolean
  /** Ends the visit and its refreshes. */
  close: () => void
}

/** The current page. */
export type Route =
  | HomeAddress
  | VisitRoute
  | { is: 'invite'; token: string }
  | { is: 'sso-return'; completion: Observable<SsoReturn> }
  | { is: 'not-found' }

type RouterWindow = Pick<Window, 'addEventListener' | 'history' | 'location'>

/** Client-side navigation. It loads no page, because users would be signed out where storage is blocked. */
export class Router extends Observable<Route> {
  readonly #window: RouterWindow
  readonly #open: (address: Address) => Route

  constructor(frame: RouterWindow, open: (address: Address) => Route) {
    super(open(readAddress(frame.location.pathname)))
    this.#window = frame
    this.#open = open
    frame.addEventListener('popstate', () => this.#update())
  }

  /** Opening the current page again changes nothing. */
  readonly go = (path: string): void => {
    if (path === this.#window.location.pathname) return
    this.#window.history.pushState(null, '', path)
    this.#update()
  }

  /** `go` after which the way back does not lead to the present page. */
  readonly replace = (path: string): void => {
    this.#window.history.replaceState(null, '', path)
    this.#update()
  }

  #update(): void {
    const here = this.get()
    if (here.is === 'visit') here.close()
    this.set(this.#open(readAddress(this.#window.location.pathname)))
  }
}
