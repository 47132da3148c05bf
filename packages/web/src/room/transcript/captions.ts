import { Observable } from '@lectern/common'
import type { StoredValue } from '../../stored-value.ts'

/** Whether captions are shown, stored across visits. */
export class Captions extends Observable<boolean> {
  readonly #stored: StoredValue

  constructor(kept: StoredValue) {
    super(kept.get() === 'on')
    this.#stored = kept
  }

  readonly show = (on: boolean): void => {
    if (on) this.#stored.set('on')
    else this.#stored.remove()
    this.set(on)
  }
}
