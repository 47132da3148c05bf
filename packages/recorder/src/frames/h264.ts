import type { EncodedFrame } from './frame.ts'

const START_CODE = Buffer.from([0, 0, 0, 1])
const IDR = 5
const STAP_A = 24
const FU_A = 28

/** RFC 6184, packetization modes 0 and 1; produces Annex B. */
export function depacketizeH264(payloads: Buffer[]): EncodedFrame | null {
  const units: Buffer[] = []
  let fragments: Buffer[] | null = null
  for (const payload of payloads) {
    const header = payload[0] ?? 0
    const type = header & 0x1f
    if (type === FU_A) {
      const fragment = payload[1] ?? 0
      if (fragment & 0x80) fragments = [Buffer.from([(header & 0xe0) | (fragment & 0x1f)])]
      if (!fragments) return null
      fragments.push(payload.subarray(2))
      if (fragment & 0x40) {
        units.push(Buffer.concat(fragments))
        fragments = null
      }
    } else if (type === STAP_A) units.push(...aggregated(payload))
    else if (type > 0 && type < STAP_A) units.push(payload)
    else return null
  }
  if (fragments || units.length === 0) return null
  return {
    data: Buffer.concat(units.flatMap(unit => [START_CODE, unit])),
    isKey: units.some(unit => ((unit[0] ?? 0) & 0x1f) === IDR),
  }
}

function aggregated(payload: Buffer): Buffer[] {
  const units: Buffer[] = []
  for (let at = 1; at + 2 < payload.length; ) {
    const length = payload.readUInt16BE(at)
    units.push(payload.subarray(at + 2, at + 2 + length))
    at += 2 + length
  }
  return units
}
