import { OWN_TRANSCRIPT_PAGE, type OwnTranscriptResponse, type TranscriptPhrase } from '@lectern/protocol'
import type { Recording, Transcript } from '../../ports.ts'

/** How long a transcriber takes to publish a phrase after its end, and how fast people speak, roughly. */
const PUBLISHING_MS = 700
const MS_PER_CHARACTER = 65

/** The phrases with their positions in the recording, in order. Those before or after it are left out. */
export function phrasesOf(
  { startedAtMs, durationMs }: Pick<Recording, 'startedAtMs' | 'durationMs'>,
  runs: Transcript[],
): TranscriptPhrase[] {
  const phrases: TranscriptPhrase[] = []
  for (const { segments } of runs) {
    const lastOf = new Map<number, number>()
    for (const { at, speaker, text } of segments) {
      const end = at - PUBLISHING_MS - startedAtMs
      const from = Math.max(end - text.length * MS_PER_CHARACTER, lastOf.get(speaker.device_id) ?? 0, 0)
      lastOf.set(speaker.device_id, Math.max(from, end))
      if (end < 0 || from > durationMs) continue
      const to = Math.min(Math.max(end, from), durationMs)
      phrases.push({ from_ms: Math.round(from), to_ms: Math.round(to), speaker: speaker.name, text })
    }
  }
  return phrases.sort((a, b) => a.from_ms - b.from_ms)
}

/** The page of phrases that begins at `from`. */
export function presentOwnTranscript(
  recording: Recording,
  runs: Transcript[],
  from: number,
): OwnTranscriptResponse {
  const phrases = phrasesOf(recording, runs)
  const next = from + OWN_TRANSCRIPT_PAGE
  const hasMore = phrases.length > next
  return {
    result: 200,
    language: runs[0]?.language ?? 'und',
    phrases: phrases.slice(from, next),
    is_truncated: hasMore,
    next: hasMore ? next : null,
  }
}
