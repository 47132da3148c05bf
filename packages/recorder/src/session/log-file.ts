import { closeSync, openSync, writeSync } from 'node:fs'
import type { JsonObject } from '@lectern/protocol/control'
import { nowMs } from '../clock/now.ts'
import { endsWithinLine, type LogLine } from './log-reader.ts'

/** Written when lines were dropped, with their number and the time of the first and the last one. */
export const LINES_DROPPED = 'lines_dropped'

/** A type and not an interface: it is a body in JSON. */
export type Dropped = { count: number; from_ms: number; to_ms: number }

/** Buffered while nothing can be written; beyond it, lines are dropped. */
export const BUFFER_BYTES = 1024 * 1024
/** The same for lines that a report cannot do without. */
export const ESSENTIAL_BUFFER_BYTES = 8 * 1024 * 1024

/** A failed write is repeated by the next line only after this. */
const RETRY_AFTER_MS = 1000

/**
 * Appends JSON lines to a file. An incomplete line of a killed process is terminated, and skipped by readers. On a full
 * disk lines are buffered up to a limit, and written in order when there is space; how many were dropped is written after
 * them.
 */
export class LogFile {
  #pending: Buffer[] = []
  #bytes = 0
  #dropped: Dropped | null = null
  #failedAtMs = Number.NEGATIVE_INFINITY

  readonly file: string
  readonly #onDropped: (dropped: Dropped) => void

  /** `onDropped` is called after the line LINES_DROPPED is written. */
  constructor(file: string, onDropped: (dropped: Dropped) => void = () => {}) {
    this.file = file
    this.#onDropped = onDropped
    if (endsWithinLine(file)) this.#buffer(Buffer.from('\n'))
  }

  /** Bytes that are not written yet. */
  get bufferedBytes(): number {
    return this.#bytes
  }

  /** Writes the line, or buffers or drops it when that is not possible. */
  add(name: string, body: JsonObject, atMs = nowMs()): LogLine {
    const line: LogLine = { at_ms: Math.round(atMs), name, body }
    const text = encode(line)
    const limit = this.isEssential(line) ? ESSENTIAL_BUFFER_BYTES : BUFFER_BYTES
    if (this.#bytes === 0 || this.#bytes + text.length <= limit) this.#buffer(text)
    else this.#drop(line.at_ms)
    if (performance.now() - this.#failedAtMs >= RETRY_AFTER_MS) this.flush()
    return line
  }

  /** Writes as much as possible. */
  flush(): void {
    try {
      this.write()
    } catch {
      // Buffered for the next flush.
    }
  }

  /** Throws unless everything is written. */
  write(): void {
    this.#writePending()
    const dropped = this.#dropped
    if (!dropped) return
    this.#buffer(encode({ at_ms: Math.round(nowMs()), name: LINES_DROPPED, body: dropped }))
    this.#dropped = null
    this.#writePending()
    this.#onDropped(dropped)
  }

  protected isEssential(_line: LogLine): boolean {
    return false
  }

  #buffer(text: Buffer): void {
    this.#pending.push(text)
    this.#bytes += text.length
  }

  #drop(atMs: number): void {
    this.#dropped ??= { count: 0, from_ms: atMs, to_ms: atMs }
    this.#dropped.count += 1
    this.#dropped.to_ms = atMs
  }

  /** Bytes that were written before an error are not written again. */
  #writePending(): void {
    if (this.#bytes === 0) return
    let left = this.#pending.length === 1 ? (this.#pending[0] as Buffer) : Buffer.concat(this.#pending)
    try {
      const descriptor = openSync(this.file, 'a')
      try {
        while (left.length > 0) left = left.subarray(writeSync(descriptor, left))
        this.#failedAtMs = Number.NEGATIVE_INFINITY
      } finally {
        closeSync(descriptor)
      }
    } catch (err) {
      this.#failedAtMs = performance.now()
      throw err
    } finally {
      this.#pending = left.length > 0 ? [left] : []
      this.#bytes = left.length
    }
  }
}

const encode = (line: LogLine) => Buffer.from(`${JSON.stringify(line)}\n`)
