import { existsSync, readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

/** A third of the share of a process that did not lower its priority. */
const NICENESS = 5
/** On Linux a priority belongs to a thread. */
const THREADS = '/proc/self/task'

/** Recognition yields to calls: late captions are better than gaps in voices. Later threads inherit it. */
export function lowerPriority(): void {
  const threads = existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [0]
  for (const thread of threads) setPriority(thread, NICENESS)
}
