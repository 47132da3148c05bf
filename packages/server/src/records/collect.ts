/** All of what a blob store reads, for small blobs. */
export async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const copies: Buffer[] = []
  for await (const piece of pieces) copies.push(Buffer.from(piece)) // its memory is used again
  return Buffer.concat(copies)
}
