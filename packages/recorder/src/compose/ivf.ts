import type { TimedFrame } from '../tracks/video-track.ts'

/** IVF files with timestamps in milliseconds relative to `startMs`. */
export function ivfHead(fourCc: string): Buffer {
  const head = Buffer.alloc(32)
  head.write('DKIF', 0, 'latin1')
  head.writeUInt16LE(32, 6)
  head.write(fourCc, 8, 'latin1')
  head.writeUInt32LE(1000, 16)
  head.writeUInt32LE(1, 20)
  return head
}

export function ivfFrame(frame: TimedFrame, startMs: number): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt32LE(frame.data.length, 0)
  head.writeBigUInt64LE(BigInt(Math.max(0, Math.round(frame.atMs - startMs))), 4)
  return Buffer.concat([head, frame.data])
}
