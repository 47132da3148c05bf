import type { TranscriptPhrase } from './own-recordings.ts'

/** A cue must end after it starts. */
const CUE_MIN_MS = 500

/** WebVTT (https://www.w3.org/TR/webvtt1/), with the speaker as voice. No text can break it. */
export function toWebVtt(phrases: readonly TranscriptPhrase[]): string {
  const cues = phrases.map(({ from_ms, to_ms, speaker, text }) => {
    const end = Math.max(to_ms, from_ms + CUE_MIN_MS)
    return `${timeOf(from_ms)} --> ${timeOf(end)}\n<v ${escaped(speaker)}>${escaped(text)}\n`
  })
  return ['WEBVTT', '', ...cues].join('\n')
}

function timeOf(ms: number): string {
  const date = new Date(Math.max(0, Math.round(ms)))
  const hours = String(Math.floor(date.getTime() / 3_600_000)).padStart(2, '0')
  return `${hours}:${date.toISOString().slice(14, 23)}`
}

/** An empty line would end the cue. */
const escaped = (text: string) =>
  text.replace(/\s+/g, ' ').trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
