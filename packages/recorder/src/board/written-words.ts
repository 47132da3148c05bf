import type { TextLine } from '@lectern/board'

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
  const words = split([...text], direction === 'rtl' ? 1 : 0).map(({ characters, level }) => ({
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

function split(characters: readonly string[], base: 0 | 1): Word[] {
  const words: Word[] = []
  const levels = levelsOf(characters, base)
  for (const [at, each] of characters.entries()) {
    const level = levels[at] ?? base
    const last = words.at(-1)
    const isNext = each.trim() !== '' && characters[at - 1]?.trim() === ''
    if (last?.level === level && !isNext) last.characters.push(each)
    else words.push({ characters: [each], level })
  }
  return words
}

const FROM_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const LETTER = /[\p{L}\p{N}]/u
const DIGIT = /\p{Nd}/u
const MARK = /\p{M}/u

/** Those rules of UAX 9 that texts without control characters need. */
function levelsOf(characters: readonly string[], base: 0 | 1): number[] {
  const fromLeft = base === 0 ? 0 : 2
  const levels: (number | null)[] = []
  let letters: number = base
  for (const each of characters) {
    if (MARK.test(each) && levels.length > 0) levels.push(levels.at(-1) ?? null)
    else if (DIGIT.test(each)) levels.push(letters === 1 ? 2 : fromLeft)
    else if (!LETTER.test(each)) levels.push(null)
    else {
      letters = FROM_RIGHT.test(each) ? 1 : fromLeft
      levels.push(letters)
    }
  }
  // What has no direction has that of its neighbours: numbers after letters from right to left count as these.
  const side = (level: number | null | undefined) => (level === 2 && base === 0 ? 1 : (level ?? base))
  const after: (number | null)[] = []
  for (let at = levels.length - 1, next: number | null = null; at >= 0; at--) {
    next = levels[at] ?? next
    after[at] = next
  }
  let before: number | null = null
  return levels.map((level, at) => {
    if (level !== null) {
      before = level
      return level
    }
    return side(before) === side(after[at]) ? side(before) : base
  })
}

/** From left to right (rule L2 of UAX 9). */
function inOrderOfSight<W extends Word>(words: readonly W[]): W[] {
  const order = [...words]
  for (const level of [2, 1])
    for (let from = 0; from < order.length; from++) {
      let to = from
      while ((order[to]?.level ?? 0) >= level) to++
      order.splice(from, to - from, ...order.slice(from, to).reverse())
      from = to
    }
  return order
}
