import { Observable } from '@lectern/common'
import type { ChatMessage } from '@lectern/protocol/control/client'

const MAX_ANNOUNCED = 5

/** The newest messages of others since the conversation was opened, for screen readers. */
export class Arrivals extends Observable<readonly ChatMessage[]> {
  readonly #ownUserId: string

  constructor(ownUserId: string) {
    super([])
    this.#ownUserId = ownUserId
  }

  add(messages: readonly ChatMessage[]): void {
    const others = messages.filter(each => each.user_id !== this.#ownUserId)
    if (others.length > 0) this.set([...this.get(), ...others].slice(-MAX_ANNOUNCED))
  }
}
