import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { PartName, Texts } from './catalogue.ts'
import { chooseLocale, type LanguageName, languageOf } from './languages.ts'
import { loaders } from './loaders.ts'

type PartTexts = Texts[PartName]

/** The parts that load with the code that shows them, by a topmost key of each. */
const LATER_PARTS = {
  room: 'chat',
  roomParts: 'lessonEnd',
  board: 'board',
  home: 'home',
  admin: 'admin',
} as const
type LaterPart = keyof typeof LATER_PARTS

/** Creates the texts in the first supported language. */
export async function createTexts(preferred: readonly string[]): Promise<i18n> {
  const { locale, translation } = await load(chooseLocale(preferred))
  const english = await loaders.en.core()
  const texts = createInstance().use(initReactI18next)
  await texts.init({
    lng: locale,
    fallbackLng: 'en',
    // Namespaces of modules cannot be extended, hence the copies.
    resources: {
      en: { translation: { ...english } },
      [languageOf(locale)]: { translation: { ...translation } },
    },
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
  for (const part of Object.keys(LATER_PARTS) as LaterPart[])
    if (hasPart(texts, part, 'en') && !(await addPart(texts, part, language))) return false
  addTexts(texts, language, translation)
  await texts.changeLanguage(locale)
  return true
}

/**
 * Adds what only people in a session need, in the present language and in English, the fallback. Rejects when the
 * English texts do not load.
 */
export const loadRoomTexts = (texts: i18n): Promise<void> => loadPart(texts, 'room')

/** Loads texts like `loadRoomTexts`, for what buttons of the room open, and for its end. */
export const loadRoomPartsTexts = (texts: i18n): Promise<void> => loadPart(texts, 'roomParts')

/** Loads texts like `loadRoomTexts`, for the pages of signed-in users, whose conversations look as the chat of a session. */
export async function loadHomeTexts(texts: i18n): Promise<void> {
  await Promise.all([loadPart(texts, 'room'), loadPart(texts, 'home')])
}

/** Loads texts like `loadRoomTexts`, for the board. */
export const loadBoardTexts = (texts: i18n): Promise<void> => loadPart(texts, 'board')

/** Loads texts like `loadRoomTexts`, for the pages of administrators. */
export const loadAdminTexts = (texts: i18n): Promise<void> => loadPart(texts, 'admin')

async function loadPart(texts: i18n, part: LaterPart): Promise<void> {
  addTexts(texts, 'en', await loaders.en[part]())
  await addPart(texts, part, languageOf(texts.language))
}

/** False: they do not load. */
async function addPart(texts: i18n, part: LaterPart, language: LanguageName): Promise<boolean> {
  if (hasPart(texts, part, language)) return true
  try {
    addTexts(texts, language, await loaders[language][part]())
    return true
  } catch {
    return false
  }
}

const hasPart = (texts: i18n, part: LaterPart, language: LanguageName) =>
  texts.getResource(language, 'translation', LATER_PARTS[part]) !== undefined

const addTexts = (texts: i18n, language: LanguageName, added: PartTexts) =>
  texts.addResourceBundle(language, 'translation', { ...added }, true)

/** Falls back to English when a language does not load. */
async function load(locale: string): Promise<{ locale: string; translation: Texts['core'] }> {
  try {
    return { locale, translation: await loaders[languageOf(locale)].core() }
  } catch {
    return { locale: 'en', translation: await loaders.en.core() } // always loaded
  }
}
