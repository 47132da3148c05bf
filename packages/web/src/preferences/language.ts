import type { i18n } from 'i18next'
import type { Kept } from '../kept.ts'
import { Observable } from '../observable.ts'
import { type LanguageName, languageOf, openTexts, speak } from '../texts/texts.ts'

/** The language of the pages: the visitor's choice here, else the first of their browser's that there is. */
export class Language extends Observable<LanguageName> {
  readonly texts: i18n
  readonly #kept: Kept
  readonly #wanted: readonly string[]

  private constructor(texts: i18n, kept: Kept, wanted: readonly string[]) {
    super(languageOf(texts.language))
    this.texts = texts
    this.#kept = kept
    this.#wanted = wanted
    this.#tellPage()
  }

  static async open(kept: Kept, wanted: readonly string[]): Promise<Language> {
    const chosen = kept.get()
    return new Language(await openTexts(chosen === null ? wanted : formsOf(chosen, wanted)), kept, wanted)
  }

  /** A language that does not load leaves everything as it is. */
  readonly choose = async (name: LanguageName): Promise<void> => {
    if (!(await speak(this.texts, formsOf(name, this.#wanted)))) return
    this.#kept.set(name)
    this.set(name)
    this.#tellPage()
  }

  #tellPage(): void {
    document.documentElement.lang = this.texts.language
  }
}

/** The visitor's own form of the language first: it keeps their clock and their dates. */
const formsOf = (name: string, wanted: readonly string[]) => [
  ...wanted.filter(locale => locale.toLowerCase().split('-')[0] === name),
  name,
]
