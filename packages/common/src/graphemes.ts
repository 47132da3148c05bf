let segmenter: Intl.Segmenter | undefined

/** The characters of a text as people count them: an emoji or a letter with its marks is one. */
export function graphemes(text: string): string[] {
  // Loaded lazily: its tables take a while.
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
