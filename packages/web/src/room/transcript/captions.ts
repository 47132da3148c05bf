import { Observable } from '@lectern/common'
import type { StoredValue } from '../../stored-value.ts'

/** Whether captions are shown, stored across visits. */
export class Captions extends Observable<boolean> {
  readonly #stored: StoredValue

  constructor(stored: StoredValue) {
    super(stored.get() === 'on')
    this.#stored = stored
  }

  readonly show = (on: boolean): void => {
    if (on) this.#stored.set('on')
    else this.#stored.remove()
    this.set(on)
  }
}
