interface Chunk {
  /** With its header. */
  all: Buffer
  name: string
  data: Buffer
}

const [FILE_HEADER, CHUNK_HEADER, FRAME_HEADER] = [12, 8, 16]
const ALPHA = 0x10

/** A WebP with the first picture of an animated one, which ffmpeg does not read; anything else as it is. */
export function firstPicture(webp: Buffer): Buffer {
  const frame = chunksOf(webp.subarray(FILE_HEADER)).find(({ name }) => name === 'ANMF')?.data
  if (!frame) return webp
  const parts = chunksOf(frame.subarray(FRAME_HEADER)).filter(({ name }) => /^(ALPH|VP8 |VP8L)$/.test(name))
  const size = frame.subarray(6, 12) // width and height, less one, as in the head below
  const flags = Buffer.of(parts.some(({ name }) => name === 'ALPH') ? ALPHA : 0, 0, 0, 0)
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', flags, size),
    ...parts.map(({ all }) => all),
  ])
  return chunk('RIFF', body)
}

function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at + CHUNK_HEADER <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4)
    const end = at + CHUNK_HEADER + length + (length % 2)
    const data = bytes.subarray(at + CHUNK_HEADER, at + CHUNK_HEADER + length)
    chunks.push({ all: bytes.subarray(at, end), name: bytes.toString('latin1', at, at + 4), data })
    at = end
  }
  return chunks
}

function chunk(name: string, ...parts: Buffer[]): Buffer {
  const head = Buffer.from(`${name}....`)
  head.writeUInt32LE(
    parts.reduce((sum, { length }) => sum + length, 0),
    4,
  )
  return Buffer.concat([head, ...parts])
}
