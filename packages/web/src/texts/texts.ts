import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { en } from './en.ts'

type Same<T> = { [K in keyof T]: T[K] extends string ? string : Same<T[K]> }
export type Texts = Same<typeof en>

/** English is in the first load and stands in for the rest; each other language comes when it is wanted. */
const languages: Record<string, () => Promise<Texts>> = {
  en: async () => en,
  ru: async () => (await import('./ru.ts')).ru,
}

/** Makes the texts ready in the first of the wanted languages that there is. */
export async function openTexts(wanted: readonly string[]): Promise<i18n> {
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

/** The visitor's own form of a language we speak ("en-GB" keeps its clock and its dates), or plain English. */
export function chooseLocale(wanted: readonly string[]): string {
  return wanted.find(locale => isLocale(locale) && Object.hasOwn(languages, languageOf(locale))) ?? 'en'
}

const languageOf = (locale: string) => locale.toLowerCase().split('-')[0] ?? 'en'

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
    const translation = await languages[languageOf(locale)]?.()
    if (translation) return { locale, translation }
  } catch {
    // English is already here.
  }
  return { locale: 'en', translation: en }
}
