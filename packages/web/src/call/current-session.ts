import type { Lifetime } from '@lectern/common'
import { Observable } from '@lectern/common'
import type { SessionView } from '@lectern/control-client'
import type { Publication } from '@lectern/protocol/control/client'
import type { Membership } from './membership.ts'
import type { Control } from './ports.ts'

/** The session as it was last known: while the connection begins anew, the old picture stays. */
export class CurrentSession extends Observable<SessionView | null> {
  readonly #control: Control
  #id: string | null = null
  #unsubscribe = () => {}

  constructor(control: Control, membership: Membership, lifetime: Lifetime) {
    super(null)
    this.#control = control
    const look = () => {
      const state = membership.get()
      if (state.is === 'joined' && state.participant.sessionId !== this.#id)
        this.#attach(state.participant.sessionId)
    }
    lifetime.defer(membership.subscribe(look))
    lifetime.defer(() => this.#unsubscribe())
  }

  /** Whether it is the present state that is shown. */
  get isCurrent(): boolean {
    return this.#id !== null && this.#control.session(this.#id).get() !== null
  }

  /** Nothing of an earlier connection: what was published there is over. */
  get publications(): readonly Publication[] {
    return (this.isCurrent && this.get()?.publications) || []
  }

  /** Where the routes of the session are; null: nowhere yet, or not known. */
  get routeGeneration(): string | null {
    return (this.isCurrent && this.get()?.media?.route_generation) || null
  }

  #attach(id: string): void {
    const view = this.#control.session(id)
    const read = () => {
      const session = view.get()
      if (session) this.set(session)
    }
    this.#unsubscribe()
    this.#id = id
    this.#unsubscribe = view.subscribe(read)
    read()
  }
}
