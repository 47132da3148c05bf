import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

/** A file of which any part can be read; `read` returns less only at its end. */
export interface RandomAccess {
  size: number
  read(start: number, length: number): Promise<Buffer>
}

interface Entry {
  isDeflated: boolean
  compressedSize: number
  offset: number
}

const END = Buffer.from('PK\x05\x06', 'latin1')
const END_BYTES = 22
/** A comment may follow the end. */
const TAIL_BYTES = END_BYTES + 65_535
/** The directory of an archive with more files than any document has. */
const DIRECTORY_MAX_BYTES = 4_000_000
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30

/**
 * The content of an entry of a ZIP archive, as its directory names it. Null: there is none of that name, it has more than
 * `maxBytes`, or the archive is damaged, encrypted or none at all. Reads nothing else, and no archives beyond 4 GB.
 */
export async function readZipEntry(
  file: RandomAccess,
  name: string,
  maxBytes: number,
): Promise<Buffer | null> {
  const directory = await readDirectory(file)
  const entry = directory && findEntry(directory, name)
  if (!entry || entry.compressedSize > maxBytes) return null
  const local = await file.read(entry.offset, LOCAL_BYTES)
  if (local.length < LOCAL_BYTES) return null
  const start = entry.offset + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28)
  const bytes = await file.read(start, entry.compressedSize)
  if (bytes.length < entry.compressedSize) return null
  if (!entry.isDeflated) return bytes
  try {
    return inflateRawSync(bytes, { maxOutputLength: maxBytes })
  } catch {
    return null // damaged, or too large
  }
}

async function readDirectory(file: RandomAccess): Promise<Buffer | null> {
  const tailBytes = Math.min(TAIL_BYTES, file.size)
  const tail = await file.read(file.size - tailBytes, tailBytes)
  const end = tail.lastIndexOf(END)
  if (end < 0 || end + END_BYTES > tail.length) return null
  const [size, offset] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  return size <= DIRECTORY_MAX_BYTES ? file.read(offset, size) : null
}

function findEntry(directory: Buffer, name: string): Entry | null {
  for (let at = 0; at + ENTRY_BYTES <= directory.length; ) {
    if (directory.readUInt32LE(at) !== ENTRY) return null
    const nameEnd = at + ENTRY_BYTES + directory.readUInt16LE(at + 28)
    if (directory.toString('latin1', at + ENTRY_BYTES, nameEnd) === name) return entryAt(directory, at)
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return null
}

function entryAt(directory: Buffer, at: number): Entry | null {
  const [flags, method] = [directory.readUInt16LE(at + 8), directory.readUInt16LE(at + 10)]
  const isEncrypted = (flags & 1) === 1
  if (isEncrypted || (method !== 0 && method !== 8)) return null
  return {
    isDeflated: method === 8,
    compressedSize: directory.readUInt32LE(at + 20),
    offset: directory.readUInt32LE(at + 42),
  }
}

const VERSION = 20
const UTF8_NAME = 0x800
const DEFLATED = 8
/** 1 January 1980: the beginning of the times that archives have. */
const DATE = 0x21
/** A regular file, rw-r--r--, written on Unix. */
const MODE = (0o100644 << 16) >>> 0
const UNIX = 3 << 8
/** The type of an OpenDocument file, which readers find without unpacking anything. */
const UNCOMPRESSED = 'mimetype'

/**
 * An archive of these files, in this order (PKWARE APPNOTE 4.3). The same files give the same bytes: it has no times, owners or
 * modes of the machine.
 */
export function writeZip(files: readonly (readonly [name: string, content: string | Buffer])[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of files) {
    const path = Buffer.from(name)
    const bytes = Buffer.from(content)
    const isStored = name === UNCOMPRESSED
    const packed = isStored ? bytes : deflateRawSync(bytes, { level: 9 })
    const about = Buffer.alloc(LOCAL_BYTES - 4)
    about.writeUInt16LE(VERSION, 0)
    about.writeUInt16LE(UTF8_NAME, 2)
    about.writeUInt16LE(isStored ? 0 : DEFLATED, 4)
    about.writeUInt16LE(DATE, 8)
    about.writeUInt32LE(crc32(bytes), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(bytes.length, 18)
    about.writeUInt16LE(path.length, 22)
    const entry = Buffer.alloc(ENTRY_BYTES)
    entry.writeUInt32LE(ENTRY, 0)
    entry.writeUInt16LE(UNIX | VERSION, 4)
    about.copy(entry, 6)
    entry.writeUInt32LE(MODE, 38)
    entry.writeUInt32LE(offset, 42)
    directory.push(entry, path)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), about, path, packed)
    offset += LOCAL_BYTES + path.length + packed.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(END_BYTES)
  END.copy(end)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}
