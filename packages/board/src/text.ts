import type { TextData } from './element.ts'

/** Height of a line, and position of its baseline, as fractions of the font size. */
export const LINE_HEIGHT = 1.36
const BASELINE = 1.07

/**
 * Marks where a text was broken for its width. Its author does this, so that everybody has the same lines (decision
 * 147).
 */
export const SOFT_BREAK = '\u2028'

export interface TextLine {
  text: string
  direction: 'ltr' | 'rtl'
  /** The beginning of the line: its right end, if its direction is from right to left. */
  x: number
  /** The position of the baseline. */
  y: number
}

/** A line for each break. */
export function textLines({ x, y, width, text, size }: Omit<TextData, 'color'>): TextLine[] {
  let row = 0
  return text.split('\n').flatMap(paragraph => {
    const direction = directionOf(paragraph)
    return paragraph.split(SOFT_BREAK).map(line => ({
      text: line,
      direction,
      x: direction === 'ltr' ? x : x + width,
      y: y + (row++ * LINE_HEIGHT + BASELINE) * size,
    }))
  })
}

/** The text as it was written. */
export const withoutBreaks = (text: string): string => text.replaceAll(SOFT_BREAK, '')

/** As people count them: an emoji or a letter with its marks is one. */
const LETTERS = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Breaks a text into lines of at most the width, between words, and within those that are longer than a line. */
export function breakText(text: string, width: number, measure: (line: string) => number): string {
  return withoutBreaks(text)
    .split('\n')
    .map(paragraph => breakParagraph(paragraph, width, measure))
    .join('\n')
}

function breakParagraph(paragraph: string, width: number, measure: (line: string) => number): string {
  const lines: string[] = ['']
  const line = () => lines.at(-1) ?? ''
  // A space stays at the end of its line, so that the breaks can be taken out again.
  for (const word of paragraph.match(/\s*\S+\s?|\s+/gu) ?? []) {
    if (line() !== '' && measure((line() + word).trimEnd()) > width) lines.push('')
    if (measure(word.trimEnd()) <= width) {
      lines[lines.length - 1] = line() + word
      continue
    }
    for (const { segment: letter } of LETTERS.segment(word)) {
      if (line() !== '' && measure(line() + letter) > width) lines.push('')
      lines[lines.length - 1] = line() + letter
    }
  }
  return lines.join(SOFT_BREAK)
}

const STRONG = /[\p{Script=Arabic}\p{Script=Hebrew}]|\p{L}/u
const FROM_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** By the first letter, as in Unicode's algorithm. */
export function directionOf(paragraph: string): 'ltr' | 'rtl' {
  const letter = STRONG.exec(paragraph)?.[0] ?? ''
  return FROM_RIGHT.test(letter) ? 'rtl' : 'ltr'
}
