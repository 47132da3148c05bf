interface Chunk {
  /** With its header. */
  all: Buffer
  data: Buffer
}

const [FILE_HEADER, CHUNK_HEADER, FRAME_HEADER] = [12, 8, 16]
const ALPHA = 0x10

/** A WebP with the first picture of an animated one, which ffmpeg does not read; anything else as it is. */
export function firstPicture(webp: Buffer): Buffer {
  const frame = firstChunk(webp.subarray(FILE_HEADER), 'ANMF')?.data
  if (!frame) return webp
  const parts = frame.subarray(FRAME_HEADER)
  const [alpha, picture] = [firstChunk(parts, 'ALPH'), firstChunk(parts, 'VP8 ', 'VP8L')]
  const size = frame.subarray(6, 12) // width and height, less one, as in the head below
  const head = chunk('VP8X', Buffer.of(alpha ? ALPHA : 0, 0, 0, 0), size)
  const all = [alpha, picture].flatMap(part => part?.all ?? [])
  return chunk('RIFF', Buffer.from('WEBP'), head, ...all)
}

/** The first chunk with one of these names. Keeps no others: an image may have millions of empty ones. */
function firstChunk(bytes: Buffer, ...names: string[]): Chunk | null {
  for (let at = 0; at + CHUNK_HEADER <= bytes.length; ) {
    const begin = at + CHUNK_HEADER
    const length = bytes.readUInt32LE(at + 4)
    const end = begin + length + (length % 2)
    if (names.includes(bytes.toString('latin1', at, at + 4)))
      return { all: bytes.subarray(at, end), data: bytes.subarray(begin, begin + length) }
    at = end
  }
  return null
}

function chunk(name: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const head = Buffer.from(`${name}....`)
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}
