import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

/** Counts what tests open, for the report of setup/cpu-time.mjs. */
export function noteOpened(what: 'page' | 'browser' | 'server'): void {
  const folder = process.env.LECTERN_CPU_FOLDER
  if (folder) appendFileSync(join(folder, 'opened'), `${what}\n`)
}
