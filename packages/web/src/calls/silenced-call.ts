import { Observable } from '@lectern/common'
import type { StoredValue } from '../stored-value.ts'

/** The id of the call that the user has noticed: it rings in no tab of this browser any more. */
export class SilencedCall extends Observable<string | null> {
  readonly #stored: StoredValue

  constructor(stored: StoredValue) {
    super(stored.get())
    this.#stored = stored
  }

  readonly silence = (callId: string): void => {
    this.#stored.set(callId)
    this.syncFromStorage()
  }

  /** Another tab may have silenced a call. */
  readonly syncFromStorage = (): void => this.set(this.#stored.get())
}
