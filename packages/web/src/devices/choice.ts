import type { Kept } from '../kept.ts'

/** The device that the visitor has chosen; its label is for telling when it is gone. No id: no device above others. */
export interface Chosen {
  id: string
  label: string
}

/** The last choice of one kind of device, remembered from visit to visit. */
export class Choice {
  readonly #kept: Kept

  constructor(kept: Kept) {
    this.#kept = kept
  }

  get(): Chosen | null {
    try {
      const { id, label } = JSON.parse(this.#kept.get() ?? '{}')
      return typeof id === 'string' && id !== '' && typeof label === 'string' ? { id, label } : null
    } catch {
      return null
    }
  }

  set({ id, label }: Chosen): void {
    this.#kept.set(JSON.stringify({ id, label }))
  }
}
