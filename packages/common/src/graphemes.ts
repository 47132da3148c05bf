let segmenter: Intl.Segmenter | undefined

/** The characters of a text as people count them: an emoji or a letter with its marks is one. */
export function graphemes(text: string): string[] {
  // Loaded lazily: its tables take a while.
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** The text without spaces around it, if it has at most so many graphemes; else its beginning with an ellipsis. */
export function shortened(text: string, most: number): string {
  const letters = graphemes(text.trim())
  if (letters.length <= most) return letters.join('')
  const kept = letters.slice(0, Math.max(1, most - 1))
  return `${kept.join('').trimEnd()}…`
}
