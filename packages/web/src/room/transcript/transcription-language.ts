import { Observable } from '@lectern/common'
import type { StoredValue } from '../../stored-value.ts'

/** The language of the next transcription, stored across visits. Null: there is no choice. */
export class TranscriptionLanguage extends Observable<string | null> {
  readonly #stored: StoredValue

  constructor(
    /** What the transcribers recognise, BCP 47. */
    readonly available: readonly string[],
    stored: StoredValue,
  ) {
    const last = stored.get()
    const isAvailable = last !== null && available.includes(last)
    super(isAvailable ? last : (available[0] ?? null))
    this.#stored = stored
  }

  readonly choose = (language: string): void => {
    if (!this.available.includes(language)) return
    this.#stored.set(language)
    this.set(language)
  }
}
