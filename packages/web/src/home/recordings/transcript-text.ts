import { containsText, foldCase } from '@lectern/common'
import type { TranscriptPhrase } from '@lectern/protocol'

/** A position such as 4:07 or 1:04:07. */
export function formatPosition(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const last = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${last}` : `${minutes}:${last}`
}

/** One line for each phrase. */
export const toPlainText = (title: string, phrases: readonly TranscriptPhrase[]): string =>
  [
    title,
    '',
    ...phrases.map(({ from_ms, speaker, text }) => `[${formatPosition(from_ms)}] ${speaker}: ${text}`),
    '',
  ].join('\n')

/** The index of the phrase at this position: the last that has begun; -1 before the first. */
export function phraseAt(phrases: readonly TranscriptPhrase[], positionMs: number): number {
  let [low, high] = [0, phrases.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((phrases[middle] as TranscriptPhrase).from_ms <= positionMs) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The phrases that contain the text in words or speaker, without regard to case; all for an empty one. */
export function searchPhrases<Phrase extends TranscriptPhrase>(
  phrases: readonly Phrase[],
  typed: string,
): readonly Phrase[] {
  if (typed.trim() === '') return phrases
  return phrases.filter(({ text, speaker }) => containsText([text, speaker], typed))
}

/** The text in pieces, of which every second one matches. */
export function splitAtMatches(text: string, typed: string): string[] {
  const wanted = foldCase(typed.trim())
  const folded = foldCase(text)
  // An "i" with a dot of its own becomes shorter; then positions would not fit.
  if (wanted === '' || folded.length !== text.length) return [text]
  const pieces: string[] = []
  let from = 0
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, from)) {
    pieces.push(text.slice(from, at), text.slice(at, at + wanted.length))
    from = at + wanted.length
  }
  return [...pieces, text.slice(from)]
}
