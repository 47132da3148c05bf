import { describe, expect, it } from 'vitest'
import { RtpHeader, RtpPacket } from 'werift-rtp'
import { readRtp } from './rtp.ts'

const payload = Buffer.from('voice')
const packet = (header: Partial<RtpHeader> = {}) =>
  new RtpPacket(
    new RtpHeader({
      sequenceNumber: 65_535,
      timestamp: 0xffff_fffe,
      payloadType: 111,
      ssrc: 7,
      marker: true,
      ...header,
    }),
    payload,
  ).serialize()
const fields = {
  payloadType: 111,
  marker: true,
  sequenceNumber: 65_535,
  timestamp: 0xffff_fffe,
  payload,
}

describe('an RTP packet', () => {
  it('has its fields as another implementation has written them', () => {
    expect(readRtp(packet())).toEqual(fields)
    expect(readRtp(packet({ marker: false }))).toEqual({ ...fields, marker: false })
  })

  it('has its payload after contributing sources and header extensions', () => {
    expect(readRtp(packet({ csrcLength: 2, csrc: [1, 2] }))).toEqual(fields)
    const extensions = [{ id: 1, payload: Buffer.from([1, 2, 3]) }]
    expect(readRtp(packet({ extension: true, extensions }))).toEqual(fields)
  })

  it('has no padding, and no payload if it is padding only', () => {
    const padded = Buffer.concat([packet(), Buffer.of(0, 0, 3)])
    padded.writeUInt8(padded.readUInt8(0) | 0x20, 0)
    expect(readRtp(padded)).toEqual(fields)
    padded.writeUInt8(payload.length + 3, padded.length - 1)
    expect(readRtp(padded)).toEqual({ ...fields, payload: Buffer.alloc(0) })
  })

  it('is refused where it is cut off, or claims more than it has', () => {
    const whole = packet({ extension: true, extensions: [{ id: 1, payload: Buffer.from([1, 2, 3]) }] })
    for (let length = 0; length < whole.length - payload.length; length++)
      expect(readRtp(whole.subarray(0, length))).toBe(null)
    const padded = Buffer.from(packet())
    padded.writeUInt8(padded.readUInt8(0) | 0x20, 0)
    padded.writeUInt8(255, padded.length - 1)
    expect(readRtp(padded)).toBe(null)
    const foreign = Buffer.from(packet())
    foreign.writeUInt8(0x40, 0)
    expect(readRtp(foreign)).toBe(null)
  })
})
