import { copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { JsonObject } from '@lectern/protocol/control'
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

/** The folders of an absolute path, also of a `file:` URL, but not of another one. */
const FOLDERS = /(?:(?<=\bfile:\/\/)|(?<![\p{L}\p{N}_./\]]))\/(?!\/)(?:[\p{L}\p{M}\p{N}_.,@+=~-]+\/)+/gu

/**
 * `report.jsonl`: what happened to the recording itself, in all attempts. Also goes to the process log, and only there with the
 * paths of this machine: partners read the file.
 */
export class ReportLog {
  readonly #file: LogFile
  /** Those of the job, whatever characters an operator has chosen for them. */
  readonly #folders: readonly string[]

  /** With the ids of the job and of its session. */
  readonly #processLog: Logger

  constructor(folder: string, processLog: Logger) {
    this.#processLog = processLog
    this.#file = new LogFile(join(folder, 'report.jsonl'))
    this.#folders = [folder, dirname(folder)].map(path => `${path}/`)
  }

  add(name: string, body: Record<string, unknown>): void {
    this.#file.add(name, this.#withoutFolders(body))
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

  #withoutFolders(body: Record<string, unknown>): JsonObject {
    const strip = (text: string) =>
      this.#folders.reduce((rest, folder) => rest.replaceAll(folder, ''), text).replaceAll(FOLDERS, '')
    return JSON.parse(JSON.stringify(body, (_, value) => (typeof value === 'string' ? strip(value) : value)))
  }

  async copyTo(file: string): Promise<void> {
    await copyFile(this.#file.file, file)
  }
}
