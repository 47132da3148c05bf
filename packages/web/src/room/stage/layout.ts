import { Observable } from '@lectern/common'
import type { StoredValue } from '../../stored-value.ts'

/** webinar: the fixed layout of partner rooms (docs/partner-api.md). */
export type LayoutName = 'webinar' | 'grid' | 'speaker'

/** The layout of the stage: the user's choice, stored across visits. */
export class Layout extends Observable<LayoutName> {
  readonly #stored: StoredValue

  constructor(stored: StoredValue, isSelectable: boolean) {
    super(isSelectable ? (stored.get() === 'speaker' ? 'speaker' : 'grid') : 'webinar')
    this.#stored = stored
  }

  get isChosen(): boolean {
    return this.get() !== 'webinar'
  }

  readonly toggle = (): void => {
    if (!this.isChosen) return
    const next = this.get() === 'grid' ? 'speaker' : 'grid'
    this.#stored.set(next)
    this.set(next)
  }
}
