import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import type { JsonObject } from '@lectern/protocol/control'

/** A line of a JSON Lines log. */
export interface LogLine {
  at_ms: number
  name: string
  body: JsonObject
}

const READ_BYTES = 64 * 1024
/** No line is longer: what a power failure left, such as zeros, is skipped. */
export const LINE_MAX = 1024 * 1024

/**
 * The complete lines of a log, one after the other; none if the file does not exist. Memory holds a piece of it only: the
 * log of a long session has tens of thousands of lines.
 */
export function* linesOf(file: string): Generator<LogLine> {
  let rest = ''
  for (const text of piecesOf(file)) {
    const texts = (rest + text).split('\n')
    rest = texts.pop() ?? ''
    if (rest.length > LINE_MAX) rest = ''
    for (const each of texts) {
      const line = parseLine(each)
      if (line) yield line
    }
  }
  const last = parseLine(rest)
  if (last) yield last
}

/** Whether the last line of a file is incomplete. */
export function endsWithinLine(file: string): boolean {
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

function openExisting(file: string): number | null {
  try {
    return openSync(file, 'r')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw err
  }
}

export function parseLine(line: string): LogLine | null {
  try {
    const parsed: unknown = JSON.parse(line)
    const isLine = typeof parsed === 'object' && parsed !== null && 'at_ms' in parsed && 'name' in parsed
    return isLine ? (parsed as LogLine) : null
  } catch {
    return null
  }
}
