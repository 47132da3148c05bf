import type { TextLine } from '@lectern/board'
import bidiModule from 'bidi-js'

// Its types have the function as the member "default" of the module, which is the function itself.
const openBidi = bidiModule as unknown as typeof bidiModule.default
const bidi = openBidi()

/** A word of a text with the spaces after it, or a part of one that has one direction. */
export interface WrittenWord {
  /** Its characters from left to right, all of the same width. */
  characters: string[]
  /** The left end, in units. */
  x: number
  /** The position of the baseline. */
  y: number
  /** Of each character. */
  width: number
  size: number
}

/** The words of a line in the order in which they are read, and where they are. */
export function wordsOf(
  { text, direction, x, y }: TextLine,
  size: number,
  measure: (text: string) => number,
): WrittenWord[] {
  const words = split(text, direction).map(({ characters, level }) => ({
    level,
    characters: level % 2 === 0 ? characters : characters.toReversed(),
    width: measure(characters.join('')) / characters.length,
  }))
  const lengthOf = ({ characters, width }: (typeof words)[number]) => characters.length * width
  const length = words.reduce((sum, each) => sum + lengthOf(each), 0)
  const places = new Map<object, number>()
  let at = direction === 'ltr' ? x : x - length
  for (const each of inOrderOfSight(words)) {
    places.set(each, at)
    at += lengthOf(each)
  }
  return words.map(each => {
    const { characters, width } = each
    return { characters, width, size, y, x: places.get(each) ?? x }
  })
}

interface Word {
  characters: string[]
  /** Of embedding, as in Unicode's algorithm for both directions (UAX 9): odd from right to left. */
  level: number
}

function split(text: string, direction: TextLine['direction']): Word[] {
  const { levels } = bidi.getEmbeddingLevels(text, direction)
  const words: Word[] = []
  let [at, isAfterSpace] = [0, false]
  for (const character of text) {
    const level = levels[at] ?? 0
    const isSpace = character.trim() === ''
    const last = words.at(-1)
    if (last?.level === level && (isSpace || !isAfterSpace)) last.characters.push(character)
    else words.push({ characters: [character], level })
    at += character.length
    isAfterSpace = isSpace
  }
  return words
}

/** From left to right (rule L2 of UAX 9). */
function inOrderOfSight<W extends Word>(words: readonly W[]): W[] {
  const order = [...words]
  for (let level = Math.max(...words.map(each => each.level)); level > 0; level--)
    for (let from = 0; from < order.length; from++) {
      let to = from
      while ((order[to]?.level ?? 0) >= level) to++
      order.splice(from, to - from, ...order.slice(from, to).reverse())
      from = to
    }
  return order
}
