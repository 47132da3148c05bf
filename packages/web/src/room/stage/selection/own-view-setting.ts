import { Observable } from '@lectern/common'
import type { StoredValue } from '../../../stored-value.ts'

/** Whether the own video is shown to this participant, stored across visits. The others see it in any case. */
export class OwnViewSetting extends Observable<boolean> {
  readonly #stored: StoredValue

  constructor(stored: StoredValue) {
    super(stored.get() !== 'hidden')
    this.#stored = stored
  }

  readonly show = (isShown: boolean): void => {
    if (isShown) this.#stored.remove()
    else this.#stored.set('hidden')
    this.set(isShown)
  }
}
