import type { Account } from '../identity/account.ts'
import type { Language } from '../preferences/language.ts'
import type { Theme } from '../preferences/theme.ts'

/** Shared by all pages. */
export interface Site {
  account: Account
  theme: Theme
  language: Language
  /** Navigates to another page by its path. */
  go: (path: string) => void
}
