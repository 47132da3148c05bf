import type { SessionView } from '@lectern/control-client'
import type { Publication } from '@lectern/protocol/control/client'
import { Observable } from '../observable.ts'
import type { Lifetime } from './lifetime.ts'
import type { Membership } from './membership.ts'
import type { Control } from './ports.ts'

/** The session as it was last known: while the connection begins anew, the old picture stays. */
export class CurrentSession extends Observable<SessionView | null> {
  readonly #control: Control
  #id: string | null = null
  #unfollow = () => {}

  constructor(control: Control, membership: Membership, life: Lifetime) {
    super(null)
    this.#control = control
    const look = () => {
      const state = membership.get()
      if (state.is === 'inside' && state.place.sessionId !== this.#id) this.#follow(state.place.sessionId)
    }
    life.own(membership.subscribe(look))
    life.own(() => this.#unfollow())
  }

  /** Whether it is the present state that is shown. */
  get isPresent(): boolean {
    return this.#id !== null && this.#control.session(this.#id).get() !== null
  }

  /** Nothing of an earlier connection: what was published there is over. */
  get publications(): readonly Publication[] {
    return (this.isPresent && this.get()?.publications) || []
  }

  /** Where the routes of the session are; null: nowhere yet, or not known. */
  get routeGeneration(): string | null {
    return (this.isPresent && this.get()?.media?.route_generation) || null
  }

  #follow(id: string): void {
    const view = this.#control.session(id)
    const read = () => {
      const session = view.get()
      if (session) this.set(session)
    }
    this.#unfollow()
    this.#id = id
    this.#unfollow = view.subscribe(read)
    read()
  }
}
