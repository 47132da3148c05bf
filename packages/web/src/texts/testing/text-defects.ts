export type Tree = { [key: string]: string | Tree }

/** All texts with their full keys. */
export const flatten = (tree: Tree, prefix = ''): [key: string, text: string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  )

const PLURAL = /_(zero|one|two|few|many|other)$/
/** Forms whose words can say the number: Arabic has a dual. */
const MAY_SAY_THE_NUMBER = /_(zero|one|two)$/

/** The name of a key without its plural form. */
export const baseOf = (key: string) => key.replace(PLURAL, '')

const placeholdersOf = (text: string) =>
  [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/g)].map(([, name]) => name).sort()

/**
 * The defects of the texts of a language compared with English, one line for each: a missing, superfluous or empty
 * text, a missing plural form, or other placeholders.
 */
export function textDefects(language: string, texts: Tree, english: Tree): string[] {
  const actual = new Map(flatten(texts))
  const expected = expectedTexts(language, english)
  return [
    ...[...expected.keys()].filter(key => !actual.has(key)).map(key => `${language}: ${key} is missing`),
    ...[...actual].flatMap(([key, text]) => {
      const source = expected.get(key)
      if (source === undefined)
        return [`${language}: ${key} is not in English, or no plural form of this language`]
      if (text.trim() === '') return [`${language}: ${key} is empty`]
      return hasPlaceholdersOf(source, key, text) ? [] : [`${language}: ${key} has other placeholders`]
    }),
  ]
}

/** The English text for each key that a language needs; plural forms have the text of `other`. */
function expectedTexts(language: string, english: Tree): Map<string, string> {
  const source = new Map(flatten(english))
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const expected = new Map<string, string>()
  for (const [key, text] of source) {
    const base = baseOf(key)
    const other = source.get(`${base}_other`)
    if (base === key || other === undefined) expected.set(key, text)
    else for (const category of pluralCategories) expected.set(`${base}_${category}`, other)
  }
  return expected
}

function hasPlaceholdersOf(source: string, key: string, text: string): boolean {
  const wanted = placeholdersOf(source)
  const found = placeholdersOf(text)
  if (String(found) === String(wanted)) return true
  return MAY_SAY_THE_NUMBER.test(key) && String(found) === String(wanted.filter(name => name !== 'count'))
}
