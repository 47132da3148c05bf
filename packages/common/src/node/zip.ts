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
/** Of more files than documents have. */
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
const DEFLATED = 8

/** An archive of these files, in this order. The first one is not compressed: of OpenDocument it is the type. */
export function writeZip(files: readonly (readonly [name: string, content: string | Buffer])[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [index, [name, content]] of files.entries()) {
    const bytes = Buffer.from(content)
    const written = index === 0 ? bytes : deflateRawSync(bytes)
    const about = Buffer.alloc(LOCAL_BYTES - 4)
    about.writeUInt16LE(VERSION, 0)
    about.writeUInt16LE(index === 0 ? 0 : DEFLATED, 4)
    about.writeUInt32LE(crc32(bytes), 10)
    about.writeUInt32LE(written.length, 14)
    about.writeUInt32LE(bytes.length, 18)
    about.writeUInt16LE(Buffer.byteLength(name), 22)
    const central = Buffer.alloc(ENTRY_BYTES)
    central.writeUInt32LE(ENTRY, 0)
    central.writeUInt16LE(VERSION, 4)
    about.copy(central, 6)
    central.writeUInt32LE(offset, 42)
    directory.push(central, Buffer.from(name))
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), about, Buffer.from(name), written)
    offset += LOCAL_BYTES + Buffer.byteLength(name) + written.length
  }
  const end = Buffer.alloc(END_BYTES)
  END.copy(end)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}
