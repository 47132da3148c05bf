import type { Kept } from '../../kept.ts'
import { Observable } from '../../observable.ts'

/** webinar: a partner's rooms have it, and no choice (docs/partner-api.md). */
export type LayoutName = 'webinar' | 'grid' | 'speaker'

/** How the stage is arranged: as this visitor likes it, remembered from visit to visit. */
export class Layout extends Observable<LayoutName> {
  readonly #kept: Kept

  constructor(kept: Kept, isChosen: boolean) {
    super(isChosen ? (kept.get() === 'speaker' ? 'speaker' : 'grid') : 'webinar')
    this.#kept = kept
  }

  get isChosen(): boolean {
    return this.get() !== 'webinar'
  }

  readonly toggle = (): void => {
    if (!this.isChosen) return
    const next = this.get() === 'grid' ? 'speaker' : 'grid'
    this.#kept.set(next)
    this.set(next)
  }
}
