import { closeSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { LINE_MAX, type LogLine, parseLine } from './log-reader.ts'

const READ_BYTES = 64 * 1024

/** Reads the lines of a log that is still being written, in order. Memory holds a piece of it only. */
export class LogTail {
  #offset = 0
  #rest = ''
  #lines: LogLine[] = []
  readonly #decoder = new StringDecoder('utf8')

  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** The next line, if it is from before that time. */
  next(beforeMs: number): LogLine | null {
    while (this.#lines.length === 0 && this.#read());
    const [line] = this.#lines
    if (!line || line.at_ms > beforeMs) return null
    this.#lines.shift()
    return line
  }

  /** False: there is nothing more yet. */
  #read(): boolean {
    const buffer = Buffer.alloc(READ_BYTES)
    const read = this.#readInto(buffer)
    if (read === 0) return false
    this.#offset += read
    const texts = (this.#rest + this.#decoder.write(buffer.subarray(0, read))).split('\n')
    this.#rest = texts.pop() ?? ''
    if (this.#rest.length > LINE_MAX) this.#rest = ''
    this.#lines.push(...texts.map(parseLine).filter(line => line !== null))
    return true
  }

  #readInto(buffer: Buffer): number {
    try {
      const descriptor = openSync(this.#file, 'r')
      try {
        return readSync(descriptor, buffer, 0, buffer.length, this.#offset)
      } finally {
        closeSync(descriptor)
      }
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === 'ENOENT') return 0
      throw err
    }
  }
}
