import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { en } from './en.ts'

type Same<T> = { [K in keyof T]: T[K] extends string ? string : Same<T[K]> }
export type Texts = Same<typeof en>

/** Each by the name that its speakers give it. */
export const LANGUAGES = { en: 'English', ru: 'Русский' } as const
export type LanguageName = keyof typeof LANGUAGES

/** English is in the first load and stands in for the rest; each other language comes when it is wanted. */
const loaders: Record<LanguageName, () => Promise<Texts>> = {
  en: async () => en,
  ru: async () => (await import('./ru.ts')).ru,
}

/** Makes the texts ready in the first of the wanted languages that there is. */
export async function createTexts(wanted: readonly string[]): Promise<i18n> {
  const { locale, translation } = await load(chooseLocale(wanted))
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

/** Goes on in the first of the wanted languages that there is. False: it does not load. */
export async function changeLanguage(texts: i18n, wanted: readonly string[]): Promise<boolean> {
  const asked = chooseLocale(wanted)
  const { locale, translation } = await load(asked)
  if (locale !== asked) return false
  texts.addResourceBundle(languageOf(locale), 'translation', translation)
  await texts.changeLanguage(locale)
  return true
}

/** The visitor's own form of a language we speak ("en-GB" keeps its clock and its dates), or plain English. */
export function chooseLocale(wanted: readonly string[]): string {
  return wanted.find(locale => isLocale(locale) && Object.hasOwn(LANGUAGES, prefixOf(locale))) ?? 'en'
}

/** The language of a locale; English for one that we do not speak. */
export function languageOf(locale: string): LanguageName {
  const prefix = prefixOf(locale)
  return Object.hasOwn(LANGUAGES, prefix) ? (prefix as LanguageName) : 'en'
}

const prefixOf = (locale: string) => locale.toLowerCase().split('-')[0] ?? ''

/** Some browsers report names such as "en-US@posix", on which Intl throws. */
function isLocale(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length > 0
  } catch {
    return false
  }
}

/** A language that does not load must not keep the page closed. */
async function load(locale: string): Promise<{ locale: string; translation: Texts }> {
  try {
    return { locale, translation: await loaders[languageOf(locale)]() }
  } catch {
    // English is already here.
  }
  return { locale: 'en', translation: en }
}
