import { type Lifetime, Observable } from '@lectern/common'
import type { Call } from '../../../call/call.ts'

/** The name of the only other person who has joined so far; null before that, and in larger meetings. */
export class Companion extends Observable<string | null> {
  readonly #call: Pick<Call, 'get' | 'subscribe'>
  readonly #names = new Map<string, string>()

  constructor(call: Pick<Call, 'get' | 'subscribe'>, lifetime: Lifetime) {
    super(null)
    this.#call = call
    lifetime.defer(call.subscribe(() => this.#update()))
  }

  #update(): void {
    const state = this.#call.get()
    if (state.is !== 'joined') return
    const { me, session } = state
    for (const { user_id, display_name } of session.participants)
      if (user_id !== me.user_id) this.#names.set(user_id, display_name)
    for (const { user_id } of session.removed) this.#names.delete(user_id)
    const [name] = this.#names.values()
    this.set(this.#names.size === 1 ? name || null : null)
  }
}
