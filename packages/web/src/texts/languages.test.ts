import { LANGUAGES as ACCOUNT_LANGUAGES } from '@lectern/protocol'
import { describe, expect, it } from 'vitest'
import { chooseLocale, directionOf, isLanguage, LANGUAGES } from './languages.ts'

it('the languages of the pages are those of accounts', () => {
  expect(Object.keys(LANGUAGES).sort()).toEqual([...ACCOUNT_LANGUAGES].sort())
  expect(['de', 'nl', '', null].map(isLanguage)).toEqual([true, false, false, false])
})

describe('chooseLocale', () => {
  it('returns the first supported language of the user, with its region', () => {
    expect(chooseLocale(['ru'])).toBe('ru')
    expect(chooseLocale(['nl-NL', 'en-GB', 'ru'])).toBe('en-GB')
    expect(chooseLocale(['de-AT', 'en'])).toBe('de-AT')
    expect(chooseLocale(['RU-by'])).toBe('RU-by')
  })

  it('falls back to English', () => {
    expect(chooseLocale([])).toBe('en')
    expect(chooseLocale(['nl'])).toBe('en')
    expect(chooseLocale(['en-US@posix', 'C', ''])).toBe('en')
  })
})

it('only Arabic runs from right to left', () => {
  expect(['ar', 'ar-EG', 'AR'].map(directionOf)).toEqual(['rtl', 'rtl', 'rtl'])
  expect(['en', 'de', 'tr', 'ru', 'he'].map(directionOf)).toEqual(['ltr', 'ltr', 'ltr', 'ltr', 'ltr'])
})
