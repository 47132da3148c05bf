import type { Language } from '@lectern/protocol'

export type LanguageName = Language

/** Each by its own name, in the order of selections. */
export const LANGUAGES: Record<LanguageName, string> = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  tr: 'Türkçe',
  ru: 'Русский',
  ar: 'العربية',
}

const RIGHT_TO_LEFT: ReadonlySet<LanguageName> = new Set(['ar'])

/**
 * The user's regional variant of a supported language ("en-GB" keeps its formats of times and dates), or plain
 * English.
 */
export function chooseLocale(preferred: readonly string[]): string {
  return preferred.find(locale => isLocale(locale) && isLanguage(prefixOf(locale))) ?? 'en'
}

/** The language of a locale; English when it is not supported. */
export function languageOf(locale: string): LanguageName {
  const prefix = prefixOf(locale)
  return isLanguage(prefix) ? prefix : 'en'
}

/** The value for `dir` of texts in a locale. */
export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(languageOf(locale)) ? 'rtl' : 'ltr'

export const isLanguage = (value: unknown): value is LanguageName =>
  typeof value === 'string' && Object.hasOwn(LANGUAGES, value)

const prefixOf = (locale: string) => locale.toLowerCase().split('-')[0] ?? ''

/** Some browsers report names such as "en-US@posix", for which Intl throws. */
function isLocale(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length > 0
  } catch {
    return false
  }
}
