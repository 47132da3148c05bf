/** The units of an H.264 packet have their length before them, in four bytes. */
const LENGTH_BYTES = 4

const PREVENTED = Buffer.of(0, 0, 3)
const ZEROS = Buffer.of(0, 0)
const PREVENTION = Buffer.of(3)

export function unitsOf(packet: Uint8Array): Buffer[] {
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.length)
  const units: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + LENGTH_BYTES + bytes.readUInt32BE(at)
    units.push(bytes.subarray(at + LENGTH_BYTES, end))
    at = end
  }
  return units
}

export const packetOf = (units: Buffer[]): Buffer =>
  Buffer.concat(
    units.flatMap(unit => {
      const length = Buffer.alloc(LENGTH_BYTES)
      length.writeUInt32BE(unit.length)
      return [length, unit]
    }),
  )

/** The type of a unit, ITU-T H.264 table 7-1. */
export const unitType = (unit: Buffer) => (unit[0] ?? 0) & 0x1f

/** The content of a unit, without its header and emulation prevention bytes (clause 7.3.1). */
export function contentOf(unit: Buffer): Buffer {
  const parts: Buffer[] = []
  let from = 1
  for (let at = unit.indexOf(PREVENTED, from); at >= 0; at = unit.indexOf(PREVENTED, from)) {
    parts.push(unit.subarray(from, at + 2))
    from = at + 3
  }
  return parts.length === 0 ? unit.subarray(from) : Buffer.concat([...parts, unit.subarray(from)])
}

/** Two zeros must not be followed by a byte below 4. */
export function unitOf(header: number, content: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.of(header)]
  let from = 0
  for (let at = content.indexOf(ZEROS); at >= 0; at = content.indexOf(ZEROS, at)) {
    at += 2
    if ((content[at] ?? 4) > 3) continue
    parts.push(content.subarray(from, at), PREVENTION)
    from = at
  }
  return Buffer.concat([...parts, content.subarray(from)])
}
