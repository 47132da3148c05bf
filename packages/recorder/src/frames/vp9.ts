import type { EncodedFrame } from './frame.ts'

interface Descriptor {
  length: number
  beginsLayer: boolean
}

/** RFC 9628. Spatial layers of a frame are joined into a superframe, as decoders expect. */
export function depacketizeVp9(payloads: Buffer[]): EncodedFrame | null {
  const layers: Buffer[][] = []
  for (const payload of payloads) {
    const descriptor = readDescriptor(payload)
    if (descriptor.beginsLayer) layers.push([])
    const layer = layers.at(-1)
    if (!layer) return null
    layer.push(payload.subarray(descriptor.length))
  }
  const frames = layers.map(layer => Buffer.concat(layer)).filter(frame => frame.length > 0)
  const [only] = frames
  if (!only) return null
  return { data: frames.length === 1 ? only : superframe(frames), isKey: isKey(only) }
}

function readDescriptor(payload: Buffer): Descriptor {
  const byte = (at: number) => payload[at] ?? 0
  const flags = byte(0)
  const isPredicted = (flags & 0x40) !== 0
  const isFlexible = (flags & 0x10) !== 0
  let length = 1
  if (flags & 0x80) length += byte(length) & 0x80 ? 2 : 1 // picture id
  if (flags & 0x20) length += isFlexible ? 1 : 2 // layer indices
  if (isFlexible && isPredicted) while (byte(length++) & 1); // up to three P_DIFF
  if (flags & 0x02) length += structureLength(payload, length)
  return { length, beginsLayer: (flags & 0x08) !== 0 }
}

function structureLength(payload: Buffer, start: number): number {
  const flags = payload[start] ?? 0
  let at = start + 1
  if (flags & 0x10) at += 4 * ((flags >> 5) + 1)
  if (flags & 0x08) {
    const pictures = payload[at++] ?? 0
    for (let picture = 0; picture < pictures; picture++) at += 1 + (((payload[at] ?? 0) >> 2) & 3)
  }
  return at - start
}

/** From the frame header (section 6.2 of the bitstream specification), because descriptors are not always right. */
function isKey(frame: Buffer): boolean {
  const header = frame[0] ?? 0
  const isProfile3 = (header & 0x30) === 0x30
  const showsExisting = header & (isProfile3 ? 0x04 : 0x08)
  const isInter = header & (isProfile3 ? 0x02 : 0x04)
  return showsExisting === 0 && isInter === 0
}

/** Annex B of the VP9 bitstream specification: frame sizes follow at the end, four bytes each. */
function superframe(frames: Buffer[]): Buffer {
  const marker = 0b110_00_000 | (3 << 3) | (frames.length - 1)
  const index = Buffer.alloc(2 + 4 * frames.length, marker)
  for (const [position, frame] of frames.entries()) index.writeUInt32LE(frame.length, 1 + 4 * position)
  return Buffer.concat([...frames, index])
}
