import { type Lifetime, Observable } from '@lectern/common'
import type { SessionView } from '@lectern/control-client'
import type { MediaRoute, Publication } from '@lectern/protocol/control/client'
import type { Membership } from './membership.ts'
import type { Control } from './ports.ts'

/** The last known session: while the connection restarts, the former state stays. */
export class CurrentSession extends Observable<SessionView | null> {
  readonly #control: Control
  #id: string | null = null
  #unsubscribe = () => {}

  constructor(control: Control, membership: Membership, lifetime: Lifetime) {
    super(null)
    this.#control = control
    const update = () => {
      const state = membership.get()
      if (state.is === 'joined' && state.participant.sessionId !== this.#id)
        this.#attach(state.participant.sessionId)
    }
    lifetime.defer(membership.subscribe(update))
    lifetime.defer(() => this.#unsubscribe())
  }

  /** Whether the value is the server's present state. */
  get isCurrent(): boolean {
    return this.#id !== null && this.#control.session(this.#id).get() !== null
  }

  /** Empty while reconnecting: publications of an earlier connection have ended. */
  get publications(): readonly Publication[] {
    return (this.isCurrent && this.get()?.publications) || []
  }

  /** The route of media since a media worker died; null: none has, or it is unknown. */
  get route(): MediaRoute | null {
    return (this.isCurrent && this.get()?.media) || null
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
