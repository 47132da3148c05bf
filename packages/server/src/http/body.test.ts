import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Partner } from '../testing/partner.ts'
import { refused } from '../testing/refused.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
  await school.room('room')
})
afterAll(() => server.close())

const send = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  school.call('PATCH', '/rooms/room', { raw, headers })

describe('a request body', () => {
  it.each([
    ['not JSON', '{title:1}'],
    ['cut off', '{"title":"A"'],
    ['followed by something', '{} x'],
    ['only spaces', ' '],
    ['a key twice', '{"title":"A","title":"B"}'],
    ['a key twice, escaped', '{"title":"A","\\u0074itle":"B"}'],
    ['a key twice, nested', '{"teacher":{"external_id":"a","external_id":"b"}}'],
    ['a key twice in what is ignored', '{"x":[{"y":1,"y":1}]}'],
    ['NaN', '{"x":NaN}'],
    ['Latin-1', Buffer.from('{"title":"\xe9"}', 'latin1')],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['UTF-16', Buffer.from('{"title":"A"}', 'utf16le')],
  ])('is refused when it is %s', async (_, raw) => {
    expect(await send(raw)).toEqual(refused(400, 'invalid_json'))
  })

  it.each(['null', '[]', '"x"', '5', 'true'])('is refused when it is %s instead of an object', async raw => {
    expect(await send(raw)).toEqual(refused(400, 'invalid_argument', 'The body must be an object.'))
    expect(await school.call('PUT', '/rooms/room', { raw })).toEqual(refused(400, 'invalid_argument'))
  })

  it('may start with a byte order mark', async () => {
    expect((await send('\uFEFF{"title":"BOM"}')).body.title).toBe('BOM')
  })

  it('has at most 64 levels and 4,096 values, whatever is in them (API-2)', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const members = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`).join()
    for (const raw of [
      `{"x":${nested(63)}}`,
      `{${members(4_096)}}`,
      `{"x":"${'[{,'.repeat(10_000)}\\\\\\"${'['.repeat(90)}"}`,
    ])
      expect((await send(raw)).status, raw.slice(0, 20)).toBe(200)
    for (const raw of [
      `{"x":${nested(64)}}`,
      nested(15_000),
      '['.repeat(60_000),
      `{"title":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
      `{${members(4_097)}}`,
      `{"x":[${'[],'.repeat(10_000)}[]]}`,
      `{"x":[${'1,'.repeat(30_000)}1]}`,
    ])
      expect(await send(raw), raw.slice(0, 20)).toEqual(
        refused(400, 'invalid_json', expect.stringMatching(/64.*4,096/)),
      )
  })

  it('cannot change a prototype', async () => {
    const raw = '{"__proto__":{"title":"polluted","polluted":1},"constructor":{"prototype":{"polluted":1}}}'
    await school.patch('room', { title: 'Clean' })
    expect((await send(raw)).body.title).toBe('Clean')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('is refused when it contains invalid Unicode', async () => {
    expect(await send('{"title":"\\ud800"}')).toEqual(refused(400, 'invalid_argument'))
  })

  it('is refused when it is larger than 64 KiB (API-2)', async () => {
    const body = (size: number) => `{"x":"${'y'.repeat(size - 8)}"}`
    expect((await send(body(64 * 1024))).status).toBe(200)
    expect(await send(body(64 * 1024 + 1))).toEqual(refused(413, 'payload_too_large'))
    const chunked = { 'transfer-encoding': 'chunked' }
    expect((await send(body(64 * 1024), chunked)).status).toBe(200)
    expect(await send(body(64 * 1024 + 1), chunked)).toEqual(refused(413, 'payload_too_large'))
  })

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'rubbish',
  ])('is refused as %s', async type => {
    expect(await send('{"title":"A"}', { 'content-type': type })).toEqual(
      refused(415, 'unsupported_media_type'),
    )
  })

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8'])(
    'is accepted as %s',
    async type => {
      expect((await send('{"title":"A"}', { 'content-type': type })).status).toBe(200)
    },
  )

  it.each(['gzip', 'GZIP', 'br', 'gzip, identity', 'x'])(
    'is refused when it is encoded as %s',
    async coding => {
      const answer = await send(gzipSync('{"title":"A"}'), { 'content-encoding': coding })
      expect(answer).toEqual(
        refused(415, 'unsupported_media_type', 'Send the body without Content-Encoding.'),
      )
      expect(answer.headers['accept-encoding']).toBe('identity') // RFC 9110, section 15.5.16
    },
  )

  it('is refused when it is encoded for the transfer', async () => {
    const answer = await send(gzipSync('{"title":"A"}'), { 'transfer-encoding': 'gzip, chunked' })
    expect(answer).toEqual(refused(415, 'unsupported_media_type', 'Send the body without Transfer-Encoding.'))
  })

  it('may say that it is not encoded', async () => {
    for (const coding of ['Identity', '', 'identity, identity'])
      expect((await send('{"title":"A"}', { 'content-encoding': coding })).status).toBe(200)
    const empty = { headers: { 'content-encoding': 'gzip', 'content-length': '0' } }
    expect((await school.call('POST', '/rooms/room/cancel', empty)).status).toBe(200)
  })

  it('may have any content type when it is empty (API-2)', async () => {
    for (const type of ['text/plain', 'application/json', 'image/png'])
      expect(
        (await school.call('POST', '/rooms/room/cancel', { headers: { 'content-type': type } })).status,
      ).toBe(200)
  })

  it('is not read before the bearer token is checked (API-7)', async () => {
    expect(await school.call('PATCH', '/rooms/room', { raw: '{', token: 'x' })).toEqual(
      refused(401, 'unauthenticated'),
    )
  })
})
