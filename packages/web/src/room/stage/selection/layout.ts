import { Observable } from '@lectern/common'
import type { StoredValue } from '../../../stored-value.ts'

/**
 * webinar: two people equal in rank, of more the speaker is large (docs/partner-api.md); grid: equal tiles, in pages;
 * speaker: always a large speaker; presentation: one large tile with few people beside it.
 */
export const LAYOUTS = ['webinar', 'grid', 'speaker', 'presentation'] as const
export type LayoutName = (typeof LAYOUTS)[number]

const isLayout = (text: string | null): text is LayoutName => LAYOUTS.some(each => each === text)

/** The layout of the stage: the viewer's choice, stored across visits. */
export class Layout extends Observable<LayoutName> {
  readonly #stored: StoredValue

  constructor(stored: StoredValue, initial: LayoutName) {
    const text = stored.get()
    super(isLayout(text) ? text : initial)
    this.#stored = stored
  }

  readonly choose = (name: LayoutName): void => {
    this.#stored.set(name)
    this.set(name)
  }

  readonly chooseNext = (): void => {
    const next = LAYOUTS[(LAYOUTS.indexOf(this.get()) + 1) % LAYOUTS.length]
    if (next) this.choose(next)
  }
}
