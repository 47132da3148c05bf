/** A frame and its time in ticks of an IVF file. */
export interface TickedFrame {
  data: Buffer
  ticks: number
}

/** The head of an IVF file whose timestamps are in ticks. */
export function ivfHead(fourCc: string, ticksPerSecond: number): Buffer {
  const head = Buffer.alloc(32)
  head.write('DKIF', 0, 'latin1')
  head.writeUInt16LE(32, 6)
  head.write(fourCc, 8, 'latin1')
  head.writeUInt32LE(ticksPerSecond, 16)
  head.writeUInt32LE(1, 20)
  return head
}

export function ivfFrame({ data, ticks }: TickedFrame): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt32LE(data.length, 0)
  head.writeBigUInt64LE(BigInt(ticks), 4)
  return Buffer.concat([head, data])
}
