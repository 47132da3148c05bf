import { appendFileSync, readFileSync } from 'node:fs'
import type { JsonObject } from '@lectern/protocol/control'

import { nowMs } from '../clock/now.ts'

/** A line of a JSON Lines log. */
export interface LogLine {
  at_ms: number
  name: string
  body: JsonObject
}

/**
 * Appends JSON lines to a file. An incomplete line of a killed process is terminated, and skipped by readers. On a full
 * disk lines are buffered and written with the next one.
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

  /** Writes as much as possible. */
  flush() {
    try {
      this.write()
    } catch {
      // Buffered for the next flush.
    }
  }

  /** Throws unless everything is written. */
  write() {
    if (this.#pending === '') return
    try {
      appendFileSync(this.file, this.#pending)
      this.#pending = ''
    } catch (err) {
      // A part may be written: readers skip the incomplete line, and all lines are written again.
      if (!this.#pending.startsWith('\n')) this.#pending = `\n${this.#pending}`
      throw err
    }
  }
}

/** All complete lines of a file; empty if it does not exist. */
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
