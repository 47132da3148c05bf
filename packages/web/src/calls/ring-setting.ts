import { Observable } from '@lectern/common'
import type { StoredValue } from '../stored-value.ts'

const isOn = (stored: StoredValue) => stored.get() !== 'off'

/** Whether incoming calls ring in this browser. */
export class RingSetting extends Observable<boolean> {
  readonly #stored: StoredValue

  constructor(stored: StoredValue) {
    super(isOn(stored))
    this.#stored = stored
  }

  /** Another tab may have changed it. */
  readonly syncFromStorage = (): void => this.set(isOn(this.#stored))

  readonly toggle = (): void => {
    if (this.get()) this.#stored.set('off')
    else this.#stored.remove()
    this.syncFromStorage()
  }
}
