import { expect, it } from 'vitest'
import { matchesLanguage, requestsMetBy } from './language-tags.ts'

it.each([
  ['en-US', 'en', true],
  ['en', 'en-US', true],
  ['EN-us', 'en-US', true],
  ['en-US', 'en-GB', false],
  ['en', 'eng', false],
  ['pt-BR', 'en', false],
])('matches a transcriber of %s and a request for %s: %s', (language, wanted, isMet) => {
  expect(matchesLanguage(language, wanted)).toBe(isMet)
  const { exactly, beginningWith } = requestsMetBy(language)
  const request = wanted.toLowerCase()
  expect(exactly.includes(request) || request.startsWith(beginningWith)).toBe(isMet)
})
