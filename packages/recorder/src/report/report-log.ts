import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { LINES_DROPPED, LogFile } from '../session/log-file.ts'
import type { LogLine } from '../session/log-reader.ts'
import { linesOf } from '../session/log-reader.ts'

const WARNINGS = new Set([
  ...['disk_full', 'failed', 'compose_failed', 'poster_failed', 'track_failed', 'events_dropped'],
  ...['board_image_failed', 'board_failed', 'board_dropped'],
])
/** Entries that operators need first. */
const TROUBLES = new Set([...WARNINGS, 'disk_has_room', LINES_DROPPED])
const TROUBLES_MAX = 500
const ATTEMPTS_MAX = 500

/** Bounded, however long the log is. */
export interface ReportSummary {
  attempts: number[]
  troubles: LogLine[]
}

/** The folders of an absolute path, but not of a URL. */
const FOLDERS = /(?<![\w./:])\/(?:[\w.@+=-]+\/)+/g

const withoutFolders = (body: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.replaceAll(FOLDERS, '') : value,
    ]),
  )

/**
 * `report.jsonl`: what happened to the recording itself, in all attempts. Also goes to the process log, and only there with the
 * paths of this machine: partners read the file.
 */
export class ReportLog {
  readonly #file: LogFile

  /** With the ids of the job and of its session. */
  readonly #processLog: Logger

  constructor(folder: string, processLog: Logger) {
    this.#processLog = processLog
    this.#file = new LogFile(join(folder, 'report.jsonl'))
  }

  add(name: string, body: Record<string, unknown>): void {
    this.#file.add(name, withoutFolders(body))
    this.#processLog[WARNINGS.has(name) ? 'warn' : 'info'](body, name)
  }

  /** The entries that report.json has, the first ones of each kind. */
  summary(): ReportSummary {
    const summary: ReportSummary = { attempts: [], troubles: [] }
    for (const line of linesOf(this.#file.file)) {
      if (line.name === 'attempt' && summary.attempts.length < ATTEMPTS_MAX) summary.attempts.push(line.at_ms)
      if (TROUBLES.has(line.name) && summary.troubles.length < TROUBLES_MAX) summary.troubles.push(line)
    }
    return summary
  }

  flush(): void {
    this.#file.flush()
  }

  async copyTo(file: string): Promise<void> {
    await copyFile(this.#file.file, file)
  }
}
