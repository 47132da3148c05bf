/** Whether a language meets a request: `en` and `en-US` match each other, `en-GB` and `en-US` do not (BCP 47, case-insensitive). */
export function matchesLanguage(language: string, wanted: string): boolean {
  const [a, b] = [`${language}-`.toLowerCase(), `${wanted}-`.toLowerCase()]
  return a.startsWith(b) || b.startsWith(a)
}

/** The requests that a language meets: exactly these, and those that continue it. In lower case. */
export function requestsMetBy(language: string): { exactly: string[]; beginningWith: string } {
  const parts = language.toLowerCase().split('-')
  return {
    exactly: parts.map((_, index) => parts.slice(0, index + 1).join('-')),
    beginningWith: `${parts.join('-')}-`,
  }
}
