import { gzipSync } from 'node:zlib'

export interface TarEntry {
  /** At most 100 ASCII characters. */
  name: string
  content: string | Buffer
}

const BLOCK_BYTES = 512
const FILE_MODE = 0o600
const CHECKSUM_AT = 148
const CHECKSUM_BYTES = 8

/** A gzip-compressed archive of files (POSIX ustar), all of the same time in Unix milliseconds. */
export function tarGz(entries: readonly TarEntry[], timeMs: number): Buffer {
  const blocks = entries.flatMap(({ name, content }) => {
    const bytes = Buffer.from(content)
    const padding = Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES)
    return [header(name, bytes.length, timeMs), bytes, padding]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)]))
}

/** Owner and group are 0, and have no names. */
function header(name: string, size: number, timeMs: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES)
  const octal = (value: number, at: number, length: number) =>
    block.write(value.toString(8).padStart(length - 1, '0'), at, 'ascii')
  block.write(name, 0, 100, 'ascii')
  octal(FILE_MODE, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(Math.floor(timeMs / 1000), 136, 12)
  block.fill(' ', CHECKSUM_AT, CHECKSUM_AT + CHECKSUM_BYTES)
  block.write('0', 156, 'ascii')
  block.write('ustar\0' + '00', 257, 'ascii')
  const checksum = block.reduce((sum, byte) => sum + byte, 0)
  block.write(`${checksum.toString(8).padStart(6, '0')}\0 `, CHECKSUM_AT, 'ascii')
  return block
}
