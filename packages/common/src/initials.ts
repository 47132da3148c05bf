import { graphemes } from './graphemes.ts'

const LETTER = /[\p{L}\p{N}]/u
/** Letters of these scripts change their form beside another one. */
const JOINING = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}]/u
/** Keeps two letters from being joined. */
const NON_JOINER = '\u200c'
/** Has capitals for inscriptions only, which many fonts lack. */
const UNCASED = /\p{Script=Georgian}/u

/**
 * Initials of the first and the last word, in any script, and the same on every machine. Signs around a word do not count; a
 * name without letters and digits has its first and last sign.
 */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter(word => word !== '')
  const written = words.filter(word => LETTER.test(word))
  const named = written.length > 0 ? written : words
  const ends = named.length > 1 ? [named[0], named.at(-1)] : named
  const letters = ends.map(initialOf)
  return letters.join(letters.every(letter => JOINING.test(letter)) ? NON_JOINER : '')
}

function initialOf(word = ''): string {
  const signs = graphemes(word)
  const letter = signs.find(sign => LETTER.test(sign)) ?? signs[0] ?? ''
  return UNCASED.test(letter) ? letter : letter.toUpperCase()
}
