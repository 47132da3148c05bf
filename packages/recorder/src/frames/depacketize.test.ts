import { describe, expect, it } from 'vitest'
import { depacketizeAv1 } from './av1.ts'
import { depacketizeH264 } from './h264.ts'
import { opusSamples } from './opus.ts'
import { depacketizeVp8, vp8Size } from './vp8.ts'
import { depacketizeVp9 } from './vp9.ts'

const bytes = (...values: number[]) => Buffer.from(values)

describe('VP8', () => {
  it('strips payload descriptors of any form', () => {
    const short = [bytes(0x10, 0x00, 1, 2), bytes(0x00, 3)]
    expect(depacketizeVp8(short)).toEqual({ data: bytes(0x00, 1, 2, 3), isKey: true })
    const long = [bytes(0x90, 0xf0, 0x81, 0x02, 0x07, 0x20, 0x01, 9), bytes(0x80, 0x80, 0x05, 8)]
    expect(depacketizeVp8(long)).toEqual({ data: bytes(0x01, 9, 8), isKey: false })
  })

  it('rejects frames without their start', () => {
    expect(depacketizeVp8([bytes(0x00, 3)])).toBeNull()
    expect(depacketizeVp8([bytes(0x11, 3)])).toBeNull()
    expect(depacketizeVp8([])).toBeNull()
  })

  it('have a size, unless the key frame is cut off', () => {
    const key = bytes(0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x42, 0x68, 0x81) // 640x360, both scaled
    expect(vp8Size(key)).toEqual({ width: 640, height: 360 })
    expect(vp8Size(key.subarray(0, 9))).toBeNull()
  })
})

describe('VP9', () => {
  const key = 0x82
  const inter = 0x86

  it('joins packets and detects key frames from the frame header', () => {
    expect(depacketizeVp9([bytes(0x08, key, 1), bytes(0x04, 2)])).toEqual({
      data: bytes(key, 1, 2),
      isKey: true,
    })
    const flexible = [bytes(0xdc, 0x81, 0x02, 0x03, 0x04, inter, 1)]
    expect(depacketizeVp9(flexible)).toEqual({ data: bytes(inter, 1), isKey: false })
  })

  it('strips the scalability structure', () => {
    const structure = [0x18, 0x02, 0x80, 0x01, 0x68, 0x01, 0x04, 0x01]
    expect(depacketizeVp9([bytes(0x0e, ...structure, key, 5)])).toEqual({ data: bytes(key, 5), isKey: true })
  })

  it('joins spatial layers into a superframe', () => {
    const layers = [bytes(0x2c, 0x00, 0x00, key, 1), bytes(0x2c, 0x02, 0x00, inter, 2, 3)]
    const index = [0xd9, 2, 0, 0, 0, 3, 0, 0, 0, 0xd9]
    expect(depacketizeVp9(layers)).toEqual({ data: bytes(key, 1, inter, 2, 3, ...index), isKey: true })
  })

  it('rejects frames without their start', () => {
    expect(depacketizeVp9([bytes(0x04, 2)])).toBeNull()
  })
})

describe('H.264', () => {
  const start = [0, 0, 0, 1]

  it('joins single NAL units, aggregates and fragments', () => {
    const aggregate = bytes(0x18, 0, 2, 0x67, 1, 0, 2, 0x68, 2)
    const fragments = [bytes(0x7c, 0x85, 3), bytes(0x7c, 0x05, 4), bytes(0x7c, 0x45, 5)]
    const data = bytes(...start, 0x67, 1, ...start, 0x68, 2, ...start, 0x65, 3, 4, 5)
    expect(depacketizeH264([aggregate, ...fragments])).toEqual({ data, isKey: true })
    expect(depacketizeH264([bytes(0x41, 5)])).toEqual({ data: bytes(...start, 0x41, 5), isKey: false })
  })

  it('rejects incomplete fragments', () => {
    expect(depacketizeH264([bytes(0x7c, 0x05, 4)])).toBeNull()
    expect(depacketizeH264([bytes(0x7c, 0x85, 4)])).toBeNull()
  })
})

describe('AV1', () => {
  const sequence = [0x08, 0xaa]
  const frame = [0x30, 1, 2, 3]

  it('joins OBUs across packets and adds their size', () => {
    const packets = [bytes(0x68, 2, ...sequence, 0x30, 1), bytes(0x90, 2, 3)]
    const data = bytes(0x12, 0, 0x0a, 1, 0xaa, 0x32, 3, 1, 2, 3)
    expect(depacketizeAv1(packets)).toEqual({ data, isKey: true })
  })

  it('accepts an unspecified OBU count', () => {
    expect(depacketizeAv1([bytes(0x00, 4, ...frame)])).toEqual({
      data: bytes(0x12, 0, 0x32, 3, 1, 2, 3),
      isKey: false,
    })
  })

  it('rejects incomplete fragments', () => {
    expect(depacketizeAv1([bytes(0x90, 2, 3)])).toBeNull()
    expect(depacketizeAv1([bytes(0x50, 0x30, 1)])).toBeNull()
  })
})

it.each([
  ['20 ms of CELT', [0xfc], 960],
  ['two of them', [0xfd], 1920],
  ['three of 20 ms', [0xff, 3], 2880],
  ['two of different lengths', [0xfe, 1, 7, 8, 9], 1920],
  ['two of different lengths with padding', [0xff, 0xc2, 2, 1, 7, 8, 0, 0], 1920],
  ['60 ms of SILK', [0x18], 2880],
  ['10 ms of hybrid', [0x60], 480],
  ['2.5 ms of CELT', [0x80], 120],
  ['nothing', [], 0],
  ['no frames', [0xff, 0], 0],
  ['more than 120 ms', [0xff, 7], 0],
  ['two of half a byte', [0xfd, 7], 0],
  ['a frame that is longer than the packet', [0xfe, 9, 7], 0],
  ['lengths without frames', [0xff, 0x83, 1, 1], 0],
  ['more padding than bytes', [0xff, 0x42, 5, 7], 0],
  ['padding without an end', [0xff, 0x42, 255, 255], 0],
  ['a frame of more than 1275 bytes', [0xfc, ...Array(1276).fill(1)], 0],
])('returns the duration of an Opus packet: %s', (_, packet, samples) => {
  expect(opusSamples(bytes(...packet))).toBe(samples)
})
