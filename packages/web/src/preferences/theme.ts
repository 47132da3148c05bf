import { Observable } from '@lectern/common'
import type { StoredValue } from '../stored-value.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type ThemeName = (typeof THEMES)[number]

/** Light or dark: the user's choice, else the system's. */
export class Theme extends Observable<ThemeName> {
  readonly #stored: StoredValue
  readonly #root: { dataset: DOMStringMap }

  constructor(stored: StoredValue, root: { dataset: DOMStringMap }) {
    super(THEMES.find(each => each === stored.get()) ?? 'system')
    this.#stored = stored
    this.#root = root
    this.#apply()
  }

  readonly choose = (theme: ThemeName): void => {
    if (theme === 'system') this.#stored.remove()
    else this.#stored.set(theme)
    this.set(theme)
    this.#apply()
  }

  #apply(): void {
    this.#root.dataset.theme = this.get()
  }
}
