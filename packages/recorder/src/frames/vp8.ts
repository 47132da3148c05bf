import type { Size } from '@lectern/worker-kit'
import type { EncodedFrame } from './frame.ts'

/** RFC 7741. */
export function depacketizeVp8(payloads: Buffer[]): EncodedFrame | null {
  const first = payloads[0]?.[0] ?? 0
  const startsPartition = (first & 0x10) !== 0 && (first & 0x0f) === 0
  if (!startsPartition) return null
  const data = Buffer.concat(payloads.map(payload => payload.subarray(descriptorLength(payload))))
  if (data.length === 0) return null
  return { data, isKey: ((data[0] ?? 1) & 1) === 0 }
}

function descriptorLength(payload: Buffer): number {
  if (((payload[0] ?? 0) & 0x80) === 0) return 1
  const extensions = payload[1] ?? 0
  let length = 2
  if (extensions & 0x80) length += (payload[length] ?? 0) & 0x80 ? 2 : 1 // picture id
  if (extensions & 0x40) length += 1 // TL0PICIDX
  if (extensions & 0x30) length += 1 // TID, KEYIDX
  return length
}

const KEY_FRAME_HEADER_BYTES = 10

/** The size of a key frame, RFC 6386 section 9.1; null for one that is cut off. */
export const vp8Size = (data: Buffer): Size | null =>
  data.length < KEY_FRAME_HEADER_BYTES
    ? null
    : { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
