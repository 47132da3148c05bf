/** Reads a small blob into memory. */
export async function readAll(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const copies: Buffer[] = []
  for await (const piece of pieces) copies.push(Buffer.from(piece)) // a blob store reuses its buffers
  return Buffer.concat(copies)
}
