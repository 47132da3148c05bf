import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import type { JsonObject } from '@lectern/protocol/control'

import { nowMs } from '../clock/now.ts'

/** A line of a JSON Lines log. */
export interface LogLine {
  at_ms: number
  name: string
  body: JsonObject
}

const READ_BYTES = 64 * 1024

/**
 * Appends JSON lines to a file. An incomplete line of a killed process is terminated, and skipped by readers. On a full
 * disk lines are buffered and written with the next one.
 */
export class LogFile {
  #pending = ''

  constructor(readonly file: string) {
    if (endsWithinLine(file)) this.#pending = '\n'
  }

  add(name: string, body: JsonObject, atMs = nowMs()): LogLine {
    const line: LogLine = { at_ms: Math.round(atMs), name, body }
    this.#pending += `${JSON.stringify(line)}\n`
    this.flush()
    return line
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

/**
 * The complete lines of a file that are wanted; empty if it does not exist. Memory holds these only: the log of a long
 * session has tens of thousands of others.
 */
export function readLog(file: string, isWanted: (line: LogLine) => boolean = () => true): LogLine[] {
  const lines: LogLine[] = []
  let rest = ''
  for (const text of piecesOf(file)) {
    const texts = (rest + text).split('\n')
    rest = texts.pop() ?? ''
    for (const each of texts) {
      const line = parseLine(each)
      if (line && isWanted(line)) lines.push(line)
    }
  }
  const last = parseLine(rest)
  if (last && isWanted(last)) lines.push(last)
  return lines
}

/** The text of a file piece by piece; nothing if it does not exist. */
function* piecesOf(file: string): Generator<string> {
  const descriptor = openExisting(file)
  if (descriptor === null) return
  try {
    const decoder = new StringDecoder('utf8')
    const buffer = Buffer.alloc(READ_BYTES)
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer))
      yield decoder.write(buffer.subarray(0, read))
    yield decoder.end()
  } finally {
    closeSync(descriptor)
  }
}

function endsWithinLine(file: string): boolean {
  const descriptor = openExisting(file)
  if (descriptor === null) return false
  try {
    const { size } = fstatSync(descriptor)
    const last = Buffer.alloc(1)
    return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() !== '\n'
  } finally {
    closeSync(descriptor)
  }
}

function openExisting(file: string): number | null {
  try {
    return openSync(file, 'r')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null
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
