import type { Kept } from '../kept.ts'
import { Observable } from '../observable.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type ThemeName = (typeof THEMES)[number]

/** Light or dark, as the visitor prefers it here; without a word from them, as their system has it. */
export class Theme extends Observable<ThemeName> {
  readonly #kept: Kept
  readonly #root: { dataset: DOMStringMap }

  constructor(kept: Kept, root: { dataset: DOMStringMap }) {
    super(THEMES.find(each => each === kept.get()) ?? 'system')
    this.#kept = kept
    this.#root = root
    this.#apply()
  }

  readonly choose = (theme: ThemeName): void => {
    if (theme === 'system') this.#kept.forget()
    else this.#kept.set(theme)
    this.set(theme)
    this.#apply()
  }

  #apply(): void {
    this.#root.dataset.theme = this.get()
  }
}
