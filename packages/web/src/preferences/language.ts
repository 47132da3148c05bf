import { Emitter, Observable } from '@lectern/common'
import type { i18n } from 'i18next'
import type { StoredValue } from '../stored-value.ts'
import { directionOf, type LanguageName, languageOf } from '../texts/languages.ts'
import { changeLanguage, createTexts } from '../texts/texts.ts'

/** The language of the pages: the user's choice, else the first supported language of the browser. */
export class Language extends Observable<LanguageName> {
  readonly texts: i18n
  readonly #stored: StoredValue
  readonly #preferred: readonly string[]
  readonly #chosen = new Emitter<LanguageName>()

  private constructor(texts: i18n, stored: StoredValue, preferred: readonly string[]) {
    super(languageOf(texts.language))
    this.texts = texts
    this.#stored = stored
    this.#preferred = preferred
    this.#setDocumentLanguage()
  }

  static async open(stored: StoredValue, preferred: readonly string[]): Promise<Language> {
    const chosen = stored.get()
    return new Language(
      await createTexts(chosen === null ? preferred : formsOf(chosen, preferred)),
      stored,
      preferred,
    )
  }

  /** A language that does not load changes nothing. `isOwnChoice`: the user has chosen it here, and not elsewhere. */
  readonly choose = async (name: LanguageName, { isOwnChoice = true } = {}): Promise<void> => {
    if (!(await changeLanguage(this.texts, formsOf(name, this.#preferred)))) return
    this.#stored.set(name)
    this.set(name)
    this.#setDocumentLanguage()
    if (isOwnChoice) this.#chosen.emit(name)
  }

  /** For this page only, unless the user has chosen a language. */
  readonly suggest = async (name: LanguageName): Promise<void> => {
    if (this.#stored.get() !== null || name === this.get()) return
    if (!(await changeLanguage(this.texts, formsOf(name, this.#preferred)))) return
    this.set(name)
    this.#setDocumentLanguage()
  }

  /** The user has chosen a language here. */
  readonly onChosen = (listener: (name: LanguageName) => void): (() => void) => this.#chosen.on(listener)

  #setDocumentLanguage(): void {
    document.documentElement.lang = this.texts.language
    document.documentElement.dir = directionOf(this.texts.language)
  }
}

/** Regional variants of the browser come first: they determine the formats of times and dates. */
const formsOf = (name: string, preferred: readonly string[]) => [
  ...preferred.filter(locale => locale.toLowerCase().split('-')[0] === name),
  name,
]
