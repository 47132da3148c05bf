import type { Span } from '../tracks/spans.ts'
import type { Person } from './people.ts'

/** One chapter of chapters.json and of `chapters` in report.json: times are positions in the recording. */
export type Chapter = PersonChapter | PageChapter

interface Extent {
  from_ms: number
  to_ms: number
}

/** Somebody mainly spoke, or shared a screen. */
export interface PersonChapter extends Extent {
  kind: 'speaker' | 'screen'
  user_id: string
  external_id: string | null
  name: string
}

/** A page of the board was shown; pages count from 1 in the order of board.json. */
export interface PageChapter extends Extent {
  kind: 'page'
  page: number
}

/** The maximum for each kind: more give no overview. */
export const CHAPTERS_MAX = 100

/** The main speaker is determined for each period of this length, or of longer ones if there would be too many chapters. */
const PERIOD_MS = 10_000
/** A person who speaks less in a period begins no chapter. */
const TALK_MIN_MS = 1_000

/** An interruption of a shared screen that is shorter does not begin another chapter. */
const SCREEN_PAUSE_MS = 5_000
const SCREEN_MIN_MS = 1_000

/** The chapters of a recording in order of time: who mainly spoke, and who shared a screen. */
export function chaptersOf(people: Person[], startedAtMs: number, endedAtMs: number): PersonChapter[] {
  const clip = ({ fromMs, toMs }: Span): Span => ({
    fromMs: Math.max(0, Math.round(fromMs - startedAtMs)),
    toMs: Math.round(Math.min(toMs, endedAtMs) - startedAtMs),
  })
  const clipped = people.map(person => ({
    ...person,
    voice: person.voice.map(clip).filter(isPositive),
    screens: person.screens.map(clip).filter(isPositive),
  }))
  const all = [...speakerChapters(clipped, endedAtMs - startedAtMs), ...screenChapters(clipped)]
  return all.sort((a, b) => a.from_ms - b.from_ms)
}

const isPositive = ({ fromMs, toMs }: Span) => toMs > fromMs

function speakerChapters(people: Person[], durationMs: number): PersonChapter[] {
  for (let periodMs = PERIOD_MS; ; periodMs *= 2) {
    const chapters = joinPeriods(mainSpeakers(people, periodMs), durationMs)
    if (chapters.length <= CHAPTERS_MAX) return chapters
  }
}

interface Period {
  person: Person
  talkMs: number
  /** When the person first spoke in the period. */
  fromMs: number
}

/** The person who spoke most in each period; periods without speech are absent. */
function mainSpeakers(people: Person[], periodMs: number): Period[] {
  const periods = new Map<number, Period>()
  for (const person of people) {
    for (const [index, { talkMs, fromMs }] of talkByPeriod(person.voice, periodMs)) {
      if (talkMs >= TALK_MIN_MS && talkMs > (periods.get(index)?.talkMs ?? 0))
        periods.set(index, { person, talkMs, fromMs })
    }
  }
  return [...periods].sort(([a], [b]) => a - b).map(([, period]) => period)
}

function talkByPeriod(voice: Span[], periodMs: number): Map<number, Omit<Period, 'person'>> {
  const talk = new Map<number, Omit<Period, 'person'>>()
  for (const { fromMs, toMs } of voice) {
    for (let index = Math.floor(fromMs / periodMs); index * periodMs < toMs; index++) {
      const beginMs = Math.max(fromMs, index * periodMs)
      const talkMs = Math.min(toMs, (index + 1) * periodMs) - beginMs
      const period = talk.get(index)
      talk.set(index, {
        talkMs: talkMs + (period?.talkMs ?? 0),
        fromMs: Math.min(beginMs, period?.fromMs ?? beginMs),
      })
    }
  }
  return talk
}

/** A chapter lasts until somebody else is the main speaker. */
function joinPeriods(periods: Period[], durationMs: number): PersonChapter[] {
  const begins = periods.filter(({ person }, index) => periods[index - 1]?.person !== person)
  return begins.map(({ person, fromMs }, index) => ({
    kind: 'speaker',
    from_ms: fromMs,
    to_ms: begins[index + 1]?.fromMs ?? durationMs,
    user_id: person.userId,
    external_id: person.externalId,
    name: person.name,
  }))
}

function screenChapters(people: Person[]): PersonChapter[] {
  const all = people.flatMap(({ userId, externalId, name, screens }) =>
    joined(screens).map(
      ({ fromMs, toMs }): PersonChapter => ({
        ...{ kind: 'screen', from_ms: fromMs, to_ms: toMs, user_id: userId, external_id: externalId, name },
      }),
    ),
  )
  const lengthOf = ({ from_ms, to_ms }: PersonChapter) => to_ms - from_ms
  return all
    .filter(chapter => lengthOf(chapter) >= SCREEN_MIN_MS)
    .sort((a, b) => lengthOf(b) - lengthOf(a))
    .slice(0, CHAPTERS_MAX)
}

function joined(spans: Span[]): Span[] {
  const result: Span[] = []
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = result.at(-1)
    if (last && span.fromMs - last.toMs < SCREEN_PAUSE_MS) last.toMs = Math.max(last.toMs, span.toMs)
    else result.push({ ...span })
  }
  return result
}
