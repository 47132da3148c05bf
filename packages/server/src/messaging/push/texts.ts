import { LANGUAGES, type Language } from '@lectern/protocol'
import { ar } from './texts/ar.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import { pt } from './texts/pt.ts'
import { ru } from './texts/ru.ts'
import { tr } from './texts/tr.ts'
import type { PushTexts } from './texts/types.ts'

export type { PushTexts } from './texts/types.ts'

const texts: Record<Language, PushTexts> = { ar, de, en, es, fr, pt, ru, tr }

/** English, unless the user has chosen another language. */
export const pushTexts = (language: string | null): PushTexts =>
  texts[LANGUAGES.find(each => each === language) ?? 'en']
