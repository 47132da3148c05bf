import type { EncodedFrame } from './frame.ts'

const SEQUENCE_HEADER = 1
const TEMPORAL_DELIMITER = 2
const TILE_LIST = 8
const DELIMITER = Buffer.from([(TEMPORAL_DELIMITER << 3) | 0x02, 0])

/** AV1 RTP payload format; produces temporal units whose OBUs carry their size. */
export function depacketizeAv1(payloads: Buffer[]): EncodedFrame | null {
  /** In the pieces that they come in. */
  const pieces: Buffer[][] = []
  let isOpen = false
  for (const payload of payloads) {
    const header = payload[0] ?? 0
    const continues = (header & 0x80) !== 0
    if (continues !== isOpen) return null
    elements(payload).forEach((element, index) => {
      const last = index === 0 && continues ? pieces.at(-1) : undefined
      if (last) last.push(element)
      else pieces.push([element])
    })
    isOpen = (header & 0x40) !== 0
  }
  if (isOpen) return null
  const units = pieces.map(each => Buffer.concat(each))
  const wanted = units.filter(unit => typeOf(unit) !== TEMPORAL_DELIMITER && typeOf(unit) !== TILE_LIST)
  if (wanted.length === 0) return null
  return {
    data: Buffer.concat([DELIMITER, ...wanted.map(withSize)]),
    // Sequence headers accompany key frames only.
    isKey: wanted.some(unit => typeOf(unit) === SEQUENCE_HEADER),
  }
}

const typeOf = (unit: Buffer) => ((unit[0] ?? 0) >> 3) & 0x0f

/** All elements but the last carry a length, or all if the count is 0. */
function elements(payload: Buffer): Buffer[] {
  const count = ((payload[0] ?? 0) >> 4) & 3
  const found: Buffer[] = []
  for (let at = 1; at < payload.length; ) {
    if (count !== 0 && found.length === count - 1) {
      found.push(payload.subarray(at))
      break
    }
    const { value, length } = readLeb128(payload, at)
    at += length
    found.push(payload.subarray(at, at + value))
    at += value
  }
  return found
}

function withSize(unit: Buffer): Buffer {
  const header = unit[0] ?? 0
  if (header & 0x02) return unit
  const headerLength = header & 0x04 ? 2 : 1
  const body = unit.subarray(headerLength)
  const head = Buffer.from(unit.subarray(0, headerLength))
  head[0] = header | 0x02
  return Buffer.concat([head, writeLeb128(body.length), body])
}

function readLeb128(bytes: Buffer, at: number) {
  let value = 0
  let length = 0
  for (; length < 8; length++) {
    const byte = bytes[at + length] ?? 0
    value += (byte & 0x7f) * 128 ** length
    if ((byte & 0x80) === 0) break
  }
  return { value, length: length + 1 }
}

function writeLeb128(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return Buffer.from(bytes)
}
