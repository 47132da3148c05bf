import type { Kept } from '../../kept.ts'
import { Observable } from '../../observable.ts'

/** Whether what is said is written over the pictures, remembered from visit to visit. */
export class Captions extends Observable<boolean> {
  readonly #kept: Kept

  constructor(kept: Kept) {
    super(kept.get() === 'on')
    this.#kept = kept
  }

  readonly show = (on: boolean): void => {
    if (on) this.#kept.set('on')
    else this.#kept.forget()
    this.set(on)
  }
}
