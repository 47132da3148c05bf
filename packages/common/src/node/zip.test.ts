import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type RandomAccess, readZipEntry, writeZip } from './zip.ts'

const inMemory = (bytes: Buffer): RandomAccess => ({
  size: bytes.length,
  read: async (start, length) => bytes.subarray(start, start + length),
})
const read = (bytes: Buffer, name: string, maxBytes = 1_000) => readZipEntry(inMemory(bytes), name, maxBytes)

const archive = writeZip([
  ['mimetype', 'plain'],
  ['a/long.xml', 'x'.repeat(900)],
])

describe('an entry of a ZIP archive', () => {
  it('is read whether it is compressed or not, also behind other bytes of the file', async () => {
    expect((await read(archive, 'mimetype'))?.toString()).toBe('plain')
    expect((await read(archive, 'a/long.xml'))?.toString()).toBe('x'.repeat(900))
    const withComment = Buffer.concat([archive, Buffer.alloc(60_000)])
    expect((await read(withComment, 'mimetype'))?.toString()).toBe('plain')
  })

  it('is not read if it unpacks to more than is permitted, whatever its size claims', async () => {
    expect(await read(archive, 'a/long.xml', 899)).toBeNull()
    const bomb = writeZip([
      ['first', ''],
      ['bomb', Buffer.alloc(10_000_000)],
    ])
    expect(bomb.length).toBeLessThan(20_000)
    expect(await read(bomb, 'bomb', 1_000_000)).toBeNull()
  })

  it.each([
    ['is empty', Buffer.alloc(0)],
    ['is no archive', Buffer.from('PK\x03\x04 nothing else')],
    ['is cut off', archive.subarray(0, -30)],
    ['has no beginning', archive.subarray(60)],
    [
      'has a directory that is elsewhere',
      Buffer.from(archive).fill(0xff, archive.length - 6, archive.length - 2),
    ],
    ['has a damaged entry', damaged()],
    ['has a password', encrypted()],
  ])('is none where the file %s', async (_, bytes) => {
    expect(await read(bytes, 'a/long.xml')).toBeNull()
    expect(await read(bytes, 'other')).toBeNull()
  })
})

function damaged(): Buffer {
  const packed = deflateRawSync(Buffer.from('x'.repeat(900)))
  const at = archive.indexOf(packed)
  return Buffer.from(archive).fill(0xff, at, at + packed.length)
}

/** All entries say that they are. */
function encrypted(): Buffer {
  const bytes = Buffer.from(archive)
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4))
    bytes[at + 8] = 1
  return bytes
}
