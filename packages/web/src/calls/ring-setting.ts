import { Observable } from '@lectern/common'
import type { StoredValue } from '../stored-value.ts'

/** Whether incoming calls ring in this browser. */
export class RingSetting extends Observable<boolean> {
  readonly #stored: StoredValue

  constructor(stored: StoredValue) {
    super(stored.get() !== 'off')
    this.#stored = stored
  }

  readonly toggle = (): void => {
    const isOn = !this.get()
    this.set(isOn)
    if (isOn) this.#stored.remove()
    else this.#stored.set('off')
  }
}
