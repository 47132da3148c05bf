import { gzipSync } from 'node:zlib'
import { writeZip } from '../../packages/common/src/node/zip.ts'

/**
 * The same files give the same bytes: archives have no times, owners or modes of the machine.
 *
 * @typedef {{ name: string, content: Buffer }} Entry
 */

/** 26 October 1985, which npm writes, too: zero is refused by some tools. */
const TAR_SECONDS = 499_162_500
const TAR_BLOCK = 512

/** A gzipped tar archive (POSIX ustar). @param {Entry[]} entries */
export function tgz(entries) {
  const blocks = entries.flatMap(({ name, content }) => [
    tarHeader(name, content.length),
    content,
    Buffer.alloc(-content.length & (TAR_BLOCK - 1)),
  ])
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * TAR_BLOCK)]), { level: 9 })
}

/** @param {string} name @param {number} size */
function tarHeader(name, size) {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a tar archive`)
  const header = Buffer.alloc(TAR_BLOCK)
  const octal = (/** @type {number} */ value, /** @type {number} */ digits) =>
    `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0)
  header.write(octal(0o644, 7) + octal(0, 7) + octal(0, 7) + octal(size, 11) + octal(TAR_SECONDS, 11), 100)
  header.write(' '.repeat(8), 148) // counts as spaces in its own sum
  header.write('0', 156) // a regular file
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** @param {Entry[]} entries */
export const zip = entries =>
  writeZip(entries.map(({ name, content }) => /** @type {const} */ ([name, content])))
