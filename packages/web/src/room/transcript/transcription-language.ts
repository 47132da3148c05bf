import { Observable } from '@lectern/common'
import type { StoredValue } from '../../stored-value.ts'

/** The language of the next transcription, stored across visits; at first the page's. Null: there is no choice. */
export class TranscriptionLanguage extends Observable<string | null> {
  /** The languages of the transcribers, BCP 47. */
  readonly available: readonly string[]
  readonly #stored: StoredValue

  constructor(available: readonly string[], stored: StoredValue, pageLanguage: string) {
    const last = available.find(each => each === stored.get())
    const ofPage = available.find(each => primaryOf(each) === primaryOf(pageLanguage))
    super(last ?? ofPage ?? available[0] ?? null)
    this.available = available
    this.#stored = stored
  }

  readonly choose = (language: string): void => {
    if (!this.available.includes(language)) return
    this.#stored.set(language)
    this.set(language)
  }
}

/** The language without region or script. */
const primaryOf = (tag: string): string | undefined => tag.split('-')[0]
