import type { Phrase } from '@lectern/protocol/control/client'

type TimedPhrase = Pick<Phrase, 'at_ms' | 'display_name' | 'participant_id' | 'text'>

/** One line for each phrase, with the time of day. */
export function writeText(phrases: readonly TimedPhrase[], locale: string, timeZone?: string): string {
  const clock = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone,
  })
  return phrases
    .map(({ at_ms, display_name, text }) => `[${clock.format(at_ms)}] ${display_name}: ${text}\n`)
    .join('')
}

/** The assumed speed of speech: the start of a phrase is unknown. */
const CHARACTERS_PER_MS = 0.015
const SHORTEST_MS = 1_000
const LONGEST_MS = 10_000
const CUE_MIN_MS = 500

/**
 * WebVTT with times relative to the start of the session. Phrases have only an end time; each starts after the
 * speaker's previous phrase.
 */
export function writeVtt(phrases: readonly TimedPhrase[], startedAt: number): string {
  const ends = new Map<string, number>()
  const cues = phrases.map(({ at_ms, display_name, participant_id, text }) => {
    const end = Math.max(at_ms - startedAt, SHORTEST_MS)
    const length = Math.min(Math.max(text.length / CHARACTERS_PER_MS, SHORTEST_MS), LONGEST_MS)
    // A cue must end after it starts, also of a phrase that is published with the previous one.
    const start = Math.min(Math.max(end - length, ends.get(participant_id) ?? 0), end - CUE_MIN_MS)
    ends.set(participant_id, end)
    return {
      start,
      cue: `${writeTime(start)} --> ${writeTime(end)}\n<v ${escapeMarkup(display_name)}>${escapeMarkup(text)}\n`,
    }
  })
  const sorted = cues.sort((a, b) => a.start - b.start).map(({ cue }) => cue)
  return ['WEBVTT\n', ...sorted].join('\n')
}

/** 01:02:03.004 */
function writeTime(ms: number): string {
  const rounded = Math.round(ms)
  const digits = (value: number, length = 2) => String(Math.floor(value)).padStart(length, '0')
  const seconds = rounded / 1000
  return `${digits(seconds / 3600)}:${digits((seconds / 60) % 60)}:${digits(seconds % 60)}.${digits(rounded % 1000, 3)}`
}

/** A line break would end the cue. */
const escapeMarkup = (text: string) =>
  text.replaceAll(/\s+/g, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
