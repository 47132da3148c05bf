import { type Lifetime, Observable } from '@lectern/common'
import type { Call } from '../../call/call.ts'
import type { PointerPosition } from '../../call/pointers.ts'

/** Whether the presenter has the laser pointer: then the own shared screen is on the stage, to point at. */
export class Pointing extends Observable<boolean> {
  readonly #call: Pick<Call, 'get' | 'local' | 'pointers'>

  constructor(call: Pick<Call, 'get' | 'local' | 'pointers'>, lifetime: Lifetime) {
    super(false)
    this.#call = call
    const { screenShare } = call.local
    lifetime.defer(screenShare.subscribe(() => screenShare.get().on || this.#end()))
  }

  readonly toggle = (): void => {
    if (this.get()) this.#end()
    else if (this.#call.local.screenShare.get().on) this.set(true)
  }

  /** Null: beside the screen, or no longer on the page. */
  readonly point = (position: PointerPosition | null): void => {
    const publicationId = this.#publicationId
    if (position && publicationId !== undefined) this.#call.pointers.point(publicationId, position)
    else this.#call.pointers.hide()
  }

  #end(): void {
    if (!this.get()) return
    this.#call.pointers.hide()
    this.set(false)
  }

  get #publicationId(): string | undefined {
    const state = this.#call.get()
    if (state.is !== 'joined') return undefined
    const { me, session } = state
    const isOwn = (publication: { participant_id: string; source: string }) =>
      publication.participant_id === me.participant_id && publication.source === 'screen'
    return session.publications.find(isOwn)?.publication_id
  }
}
