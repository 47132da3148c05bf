import { appendFileSync, readFileSync } from 'node:fs'
import type { JsonObject } from '@lectern/protocol/control'

import { nowMs } from '../clock/now.ts'

/** A line of a journal that people and programs read. */
export interface LogLine {
  at_ms: number
  name: string
  body: JsonObject
}

/**
 * Appends JSON lines to a file. A line that a kill has torn is ended, and skipped when it is read. What finds no
 * room on the disk is kept and written with the next line.
 */
export class LogFile {
  #pending = ''

  constructor(readonly file: string) {
    const before = textOf(file)
    if (before !== '' && !before.endsWith('\n')) this.#pending = '\n'
  }

  add(name: string, body: JsonObject, atMs = nowMs()) {
    const line: LogLine = { at_ms: Math.round(atMs), name, body }
    this.#pending += `${JSON.stringify(line)}\n`
    this.flush()
  }

  /** Writes what it can. */
  flush() {
    try {
      this.write()
    } catch {
      // It is kept.
    }
  }

  /** Throws when not all of it can be written now. */
  write() {
    if (this.#pending === '') return
    try {
      appendFileSync(this.file, this.#pending)
      this.#pending = ''
    } catch (err) {
      // A part may be there now: the torn line is skipped, and all of it comes again.
      if (!this.#pending.startsWith('\n')) this.#pending = `\n${this.#pending}`
      throw err
    }
  }
}

/** The whole lines of a file, none if it is not there. */
export const readLog = (file: string): LogLine[] =>
  textOf(file)
    .split('\n')
    .flatMap(line => parseLine(line) ?? [])

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw err
  }
}

function parseLine(line: string): LogLine | null {
  try {
    const parsed: unknown = JSON.parse(line)
    const isLine = typeof parsed === 'object' && parsed !== null && 'at_ms' in parsed && 'name' in parsed
    return isLine ? (parsed as LogLine) : null
  } catch {
    return null
  }
}
