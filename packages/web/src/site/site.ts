import type { Account } from '../identity/account.ts'
import type { Language } from '../preferences/language.ts'
import type { Theme } from '../preferences/theme.ts'

/** What all pages share. */
export interface Site {
  account: Account
  theme: Theme
  language: Language
  /** To another of these pages, by its path. */
  go: (path: string) => void
}
