import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { AdminTexts, HomeTexts, Texts } from './catalogue.ts'
import { en } from './en.ts'

/** Each by its own name. */
export const LANGUAGES = { en: 'English', ru: 'Русский' } as const
export type LanguageName = keyof typeof LANGUAGES

/** English is part of the first load and the fallback; other languages are loaded on demand. */
const loaders: Record<LanguageName, () => Promise<Texts>> = {
  en: async () => en,
  ru: async () => (await import('./ru.ts')).ru,
}

/** Texts that load with the code that shows them, by their topmost key. */
const partLoaders = {
  home: {
    en: async () => (await import('./home-en.ts')).homeEn,
    ru: async () => (await import('./home-ru.ts')).homeRu,
  },
  admin: {
    en: async () => (await import('./admin-en.ts')).adminEn,
    ru: async () => (await import('./admin-ru.ts')).adminRu,
  },
} satisfies Record<string, Record<LanguageName, () => Promise<HomeTexts | AdminTexts>>>
type Part = keyof typeof partLoaders
const PARTS = Object.keys(partLoaders) as Part[]

/** Creates the texts in the first supported language. */
export async function createTexts(preferred: readonly string[]): Promise<i18n> {
  const { locale, translation } = await load(chooseLocale(preferred))
  const texts = createInstance().use(initReactI18next)
  await texts.init({
    lng: locale,
    fallbackLng: 'en',
    resources: { en: { translation: en }, [languageOf(locale)]: { translation } },
    interpolation: { escapeValue: false }, // React escapes
    react: { useSuspense: false },
  })
  return texts
}

/** Switches to the first supported language. False: it does not load. */
export async function changeLanguage(texts: i18n, preferred: readonly string[]): Promise<boolean> {
  const requested = chooseLocale(preferred)
  const { locale, translation } = await load(requested)
  if (locale !== requested) return false
  const language = languageOf(locale)
  for (const part of PARTS)
    if (hasPart(texts, part, 'en') && !(await addPart(texts, part, language))) return false
  addTexts(texts, language, translation)
  await texts.changeLanguage(locale)
  return true
}

/**
 * Adds what only signed-in users need, in the present language and in English, the fallback. Rejects when the
 * English texts do not load.
 */
export const loadHomeTexts = (texts: i18n): Promise<void> => loadPart(texts, 'home')

/** As `loadHomeTexts`, for the pages of administrators. */
export const loadAdminTexts = (texts: i18n): Promise<void> => loadPart(texts, 'admin')

async function loadPart(texts: i18n, part: Part): Promise<void> {
  addTexts(texts, 'en', await partLoaders[part].en())
  await addPart(texts, part, languageOf(texts.language))
}

/** False: they do not load. */
async function addPart(texts: i18n, part: Part, language: LanguageName): Promise<boolean> {
  if (hasPart(texts, part, language)) return true
  try {
    addTexts(texts, language, await partLoaders[part][language]())
    return true
  } catch {
    return false
  }
}

const hasPart = (texts: i18n, part: Part, language: LanguageName) =>
  texts.getResource(language, 'translation', part) !== undefined

const addTexts = (texts: i18n, language: LanguageName, added: Texts | HomeTexts | AdminTexts) =>
  texts.addResourceBundle(language, 'translation', added, true)

/**
 * The user's regional variant of a supported language ("en-GB" keeps its formats of times and dates), or plain
 * English.
 */
export function chooseLocale(preferred: readonly string[]): string {
  return preferred.find(locale => isLocale(locale) && Object.hasOwn(LANGUAGES, prefixOf(locale))) ?? 'en'
}

/** The language of a locale; English when it is not supported. */
export function languageOf(locale: string): LanguageName {
  const prefix = prefixOf(locale)
  return Object.hasOwn(LANGUAGES, prefix) ? (prefix as LanguageName) : 'en'
}

const prefixOf = (locale: string) => locale.toLowerCase().split('-')[0] ?? ''

/** Some browsers report names such as "en-US@posix", for which Intl throws. */
function isLocale(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length > 0
  } catch {
    return false
  }
}

/** Falls back to English when a language does not load. */
async function load(locale: string): Promise<{ locale: string; translation: Texts }> {
  try {
    return { locale, translation: await loaders[languageOf(locale)]() }
  } catch {
    // English is always loaded.
  }
  return { locale: 'en', translation: en }
}
