import { describe, expect, it } from 'vitest'
import { stripMetadata } from './strip-metadata.ts'

const chunk = (type: string, data: string) => {
  const bytes = Buffer.from(data, 'latin1')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, Buffer.from(type, 'latin1'), bytes, Buffer.from('crc_')])
}
const PNG_HEADER = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const segment = (marker: number, data: Buffer | string) => {
  const bytes = Buffer.from(data as string, 'latin1')
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(bytes.length + 2, 2)
  return Buffer.concat([head, bytes])
}
const exif = (orientation: number) =>
  segment(
    0xe1,
    Buffer.concat([
      Buffer.from('Exif\0\0II*\0\x08\0\0\0\x02\0', 'latin1'),
      Buffer.from([0x0f, 1, 2, 0, 4, 0, 0, 0, 0x41, 0x42, 0x43, 0]),
      Buffer.from([0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]),
      Buffer.from('\0\0\0\0GPS 52.5', 'latin1'),
    ]),
  )
const SOI = Buffer.from([0xff, 0xd8])
const SCAN = Buffer.concat([segment(0xda, 'scan'), Buffer.from([1, 0xff, 0, 2, 0xff, 0xd1, 3])])
const EOI = Buffer.from([0xff, 0xd9])
const profile = segment(0xe2, 'ICC_PROFILE\0colours')
const riff = (...chunks: Buffer[]) => {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('RIFF'), size, body])
}
const webpChunk = (type: string, data: Buffer) => {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(type), size, data, Buffer.alloc(data.length % 2)])
}

describe('the metadata of an image', () => {
  it('is removed from a PNG, with what follows its end', () => {
    const [header, data, end] = [chunk('IHDR', 'size'), chunk('IDAT', 'pixels'), chunk('IEND', '')]
    const removed = [
      ...[chunk('eXIf', 'GPS'), chunk('tEXt', 'Author Anna'), chunk('iTXt', 'XMP')],
      // Chunks of content credentials, and of a program's own.
      ...[chunk('caBX', 'signed by Anna'), chunk('mkBS', 'layers')],
    ]
    const colours = [chunk('gAMA', '1'), chunk('tRNS', '2'), chunk('fdAT', 'frame')]
    const image = Buffer.concat([PNG_HEADER, header, ...removed, ...colours, data, end, Buffer.from('more')])
    expect(stripMetadata(image, 'image/png')).toEqual(
      Buffer.concat([PNG_HEADER, header, ...colours, data, end]),
    )
  })

  it('is removed from a JPEG, of which colours and orientation stay', () => {
    const others = [
      segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x>'),
      segment(0xed, 'IPTC'),
      segment(0xfe, 'by Anna'),
    ]
    const image = Buffer.concat([SOI, exif(6), profile, ...others, SCAN, EOI, SOI, exif(1)])
    const stripped = stripMetadata(image, 'image/jpeg') as Buffer
    expect(stripped.includes('GPS')).toBe(false)
    const kept = stripped.subarray(2, 38)
    expect(kept.toString('latin1')).toMatch(/^\xff\xe1\0\x22Exif\0\0MM/)
    expect(kept.readUInt16BE(28)).toBe(6)
    expect(stripped.subarray(38)).toEqual(Buffer.concat([profile, SCAN, EOI]))
    expect(stripMetadata(stripped, 'image/jpeg')).toBe(stripped)
  })

  it('is removed from a JPEG with the previews that its resolution may carry', () => {
    const resolution = (preview: string) =>
      segment(0xe0, `JFIF\0\x01\x02\0\0\x48\0\x48${preview === '' ? '\0\0' : '\x01\x02'}${preview}`)
    const others = [segment(0xe0, 'JFXX\0\x10 what was cut off'), segment(0xee, 'by Anna')]
    const image = Buffer.concat([SOI, resolution('face'), ...others, segment(0xee, 'Adobe\0'), SCAN, EOI])
    const stripped = Buffer.concat([SOI, resolution(''), segment(0xee, 'Adobe\0'), SCAN, EOI])
    expect(stripMetadata(image, 'image/jpeg')).toEqual(stripped)
    expect(stripMetadata(stripped, 'image/jpeg')).toBe(stripped)
  })

  it('is removed from a WebP, and its flags with it', () => {
    const pixels = webpChunk('VP8 ', Buffer.from('pixel'))
    const flags = (value: number) => webpChunk('VP8X', Buffer.from([value, 0, 0, 0, 1, 0, 0, 1, 0, 0]))
    const image = riff(
      flags(0x2c),
      pixels,
      webpChunk('EXIF', Buffer.from('GPS')),
      webpChunk('XMP ', Buffer.from('xmp!')),
      webpChunk('C2PA', Buffer.from('Anna')),
    )
    expect(stripMetadata(image, 'image/webp')).toEqual(riff(flags(0x20), pixels))
  })

  it('is removed from a GIF, of which the pictures, their times and repetitions stay', () => {
    const parts = (...bytes: (number | string)[]) =>
      Buffer.from(
        bytes.map(each => (typeof each === 'string' ? each : String.fromCharCode(each))).join(''),
        'latin1',
      )
    const data = (text: string) => parts(text.length, text, 0)
    const screen = Buffer.concat([parts('GIF89a', 2, 0, 2, 0, 0x80, 0, 0), Buffer.alloc(6, 7)])
    const application = (name: string, text: string) =>
      Buffer.concat([parts(0x21, 0xff, 11, name), data(text)])
    const repeated = application('NETSCAPE2.0', '\x01\0\0')
    const time = Buffer.concat([parts(0x21, 0xf9), data('\0\x10\0\0')])
    const picture = Buffer.concat([
      parts(0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0x80),
      Buffer.alloc(6, 9),
      parts(2),
      data(';!,'),
    ])
    const removed = [
      Buffer.concat([parts(0x21, 0xfe), data('by Anna')]),
      application('XMP DataXMP', '<x>'),
      Buffer.concat([parts(0x21, 0x01), data('in Berlin')]),
    ]
    const plain = Buffer.concat([screen, repeated, time, picture, time, picture, parts(';')])
    const image = Buffer.concat([
      ...[screen, repeated, ...removed, time, picture, ...removed, time, picture, parts(';')],
      Buffer.from('what follows'),
    ])
    expect(stripMetadata(image, 'image/gif')).toEqual(plain)
    expect(stripMetadata(plain, 'image/gif')).toBe(plain)
    // Browsers show one without an end.
    expect(stripMetadata(plain.subarray(0, -1), 'image/gif')).toEqual(plain)
    expect(stripMetadata(plain.subarray(0, -4), 'image/gif')).toBeNull()
    expect(stripMetadata(screen.subarray(0, 8), 'image/gif')).toBeNull()
    const endless = Buffer.concat([screen, ...Array(100_001).fill(time)])
    expect(stripMetadata(endless, 'image/gif')).toBeNull()
  })

  it('leaves images without any, and other files, as they are', () => {
    const plain = Buffer.concat([SOI, profile, SCAN, EOI])
    expect(stripMetadata(plain, 'image/jpeg')).toBe(plain)
    const text = Buffer.from('Exif')
    expect(stripMetadata(text, 'text/plain')).toBe(text)
  })

  it.each(['image/jpeg', 'image/png', 'image/webp'])('of a damaged %s is not known', type => {
    for (const rest of ['', '\xff', 'and more than that', '\xff\xe1\xff\xff'])
      expect(stripMetadata(Buffer.from(`\xff\xd8${rest}`, 'latin1'), type)).toBeNull()
  })

  it.each([
    ['image/jpeg', [SOI], segment(0xdb, ''), [EOI]],
    ['image/jpeg', [SOI], segment(0xfe, ''), [EOI]],
    ['image/png', [PNG_HEADER], chunk('IDAT', ''), [chunk('IEND', '')]],
  ])('of an %s with endless parts is not known', (type, begin, part, end) => {
    const image = (parts: number) => Buffer.concat([...begin, ...Array(parts).fill(part), ...end])
    expect(stripMetadata(image(1_000), type)).not.toBeNull()
    expect(stripMetadata(image(100_000), type)).toBeNull()
  })

  it('of a WebP with endless chunks is not known', () => {
    const image = (chunks: number) => riff(...Array(chunks).fill(webpChunk('EXIF', Buffer.alloc(0))))
    expect(stripMetadata(image(1_000), 'image/webp')).toEqual(riff())
    expect(stripMetadata(image(100_001), 'image/webp')).toBeNull()
  })
})
