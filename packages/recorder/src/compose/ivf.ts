import type { Size } from '@lectern/worker-kit'

/** A frame and its time in ticks of an IVF file. */
export interface TickedFrame {
  data: Buffer
  ticks: number
}

/** Decoders find the size in the frames. */
const NO_SIZE: Size = { width: 0, height: 0 }

/** The head of an IVF file whose timestamps are in ticks. Frames that are not encoded have the size. */
export function ivfHead(fourCc: string, ticksPerSecond: number, { width, height }: Size = NO_SIZE): Buffer {
  const head = Buffer.alloc(32)
  head.write('DKIF', 0, 'latin1')
  head.writeUInt16LE(32, 6)
  head.write(fourCc, 8, 'latin1')
  head.writeUInt16LE(width, 12)
  head.writeUInt16LE(height, 14)
  head.writeUInt32LE(ticksPerSecond, 16)
  head.writeUInt32LE(1, 20)
  return head
}

/** The parts of a frame in the file. */
export function ivfFrame({ data, ticks }: TickedFrame): [head: Buffer, data: Buffer] {
  const head = Buffer.alloc(12)
  head.writeUInt32LE(data.length, 0)
  head.writeBigUInt64LE(BigInt(ticks), 4)
  return [head, data]
}
