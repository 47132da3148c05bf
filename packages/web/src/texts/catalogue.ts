import type { adminEn } from './admin-en.ts'
import type { en } from './en.ts'
import type { homeEn } from './home-en.ts'

/** The shape of the texts in every language; English defines it. */
type Same<T> = { [K in keyof T]: T[K] extends string ? string : Same<T[K]> }
export type Texts = Same<typeof en>
export type HomeTexts = Same<typeof homeEn>
export type AdminTexts = Same<typeof adminEn>
