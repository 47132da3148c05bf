import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

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

/** 1 January 1980: the beginning of the times that zip has. */
const ZIP_DATE = 0x21
const ZIP_VERSION = 20
const UTF8_NAME = 0x800
const DEFLATE = 8
/** A regular file, rw-r--r--, written on Unix. */
const ZIP_MODE = (0o100644 << 16) >>> 0
const UNIX = 3 << 8

/** A zip archive (PKWARE APPNOTE 4.3). @param {Entry[]} entries */
export function zip(entries) {
  const files = []
  const directory = []
  let offset = 0
  for (const { name, content } of entries) {
    const path = Buffer.from(name)
    const packed = deflateRawSync(content, { level: 9 })
    const about = Buffer.alloc(26)
    about.writeUInt16LE(ZIP_VERSION, 0)
    about.writeUInt16LE(UTF8_NAME, 2)
    about.writeUInt16LE(DEFLATE, 4)
    about.writeUInt16LE(ZIP_DATE, 8)
    about.writeUInt32LE(crc32(content), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(content.length, 18)
    about.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, path, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(ZIP_MODE, 6)
    rest.writeUInt32LE(offset, 10)
    const madeBy = Buffer.alloc(2)
    madeBy.writeUInt16LE(UNIX | ZIP_VERSION)
    directory.push(Buffer.from('PK\x01\x02'), madeBy, about, rest, path)
    files.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, central, Buffer.from('PK\x05\x06'), end])
}
