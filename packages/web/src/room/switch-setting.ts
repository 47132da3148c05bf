import { Observable } from '@lectern/common'
import type { StoredValue } from '../stored-value.ts'

/** Something that a user turns on or off, stored across visits. */
export class SwitchSetting extends Observable<boolean> {
  readonly #stored: StoredValue
  readonly #initially: boolean

  constructor(stored: StoredValue, initially: boolean) {
    const text = stored.get()
    super(text === null ? initially : text === 'on')
    this.#stored = stored
    this.#initially = initially
  }

  readonly choose = (isOn: boolean): void => {
    if (isOn === this.#initially) this.#stored.remove()
    else this.#stored.set(isOn ? 'on' : 'off')
    this.set(isOn)
  }
}
