import { type RawBuilder, sql } from 'kysely'
import type { AttemptRecord } from '../ports.ts'

/** Attempts are added to the text of a column without reading it, and the oldest end is cut off. */

const ATTEMPTS_MAX = 20
/** An attempt with a full excerpt takes 800 at most, as far as its characters need no escape. */
const CHARACTERS_MAX = 16_000

/** The history with the entry of an attempt. */
export const withEntry = (entry: RawBuilder<string>) =>
  sql<string>`substr(${entry} || ${sql.lit('\n')} || history, 1, ${sql.lit(CHARACTERS_MAX)})`

export const entryOf = (attempt: AttemptRecord): RawBuilder<string> =>
  sql<string>`cast(${JSON.stringify(attempt)} as text)`

/** The history with this attempt. */
export const withAttempt = (attempt: AttemptRecord): RawBuilder<string> => withEntry(entryOf(attempt))

/**
 * The history of a delivery that is being leased for so long: with an attempt of unknown outcome if it is leased already,
 * because then the holder of that lease has died.
 */
export function withAbandonedAttempt(leaseMs: number): RawBuilder<string> {
  const unknown: Omit<AttemptRecord, 'startedAtMs'> = {
    durationMs: null,
    responseStatus: null,
    error: 'INTERRUPTED',
    excerpt: null,
  }
  const rest = JSON.stringify(unknown).replace('{', ',')
  const entry = sql<string>`${sql.lit('{"startedAtMs":')} || (next_attempt_at_ms - ${sql.lit(leaseMs)}) || ${sql.lit(rest)}`
  return sql<string>`case when lease is null then history else ${withEntry(entry)} end`
}

/** Newest first. */
export function readHistory(history: string): AttemptRecord[] {
  const lines = history.split('\n')
  lines.pop() // empty, or cut off
  return lines.slice(0, ATTEMPTS_MAX).map(line => JSON.parse(line) as AttemptRecord)
}
