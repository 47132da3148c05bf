import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readdirSync, readlinkSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Partner } from '../../../testing/partner.ts'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import type { Blob } from '../../ports.ts'
import { openTestArchive, type TestArchive } from '../../testing/archive.ts'
import { sha256 } from '../../testing/uploads.ts'

const TEXT = 'abcdefghij'
const LARGE = randomBytes(20_000_000)

let server: TestServer
let testArchive: TestArchive
let school: Partner
let tag: string
let blob: Blob
beforeAll(async () => {
  server = await startTestServer({ Server: { LogLevel: 'error' } })
  testArchive = await openTestArchive(server)
  school = await server.addPartner('school', { scopes: ['integration:rooms', 'blob'] })
  tag = (await school.room('lesson')).tag
  blob = await testArchive.addBlob(tag, TEXT, { name: 'notes/Ärger.txt', contentType: 'text/plain' })
})
afterAll(async () => {
  await testArchive.close()
  await server.close()
})

const ask = (headers: Record<string, string> = {}, method = 'GET', id = blob.id) =>
  server.call(method, `/api/storage/blobs/${id}`, { token: school.token, headers })

/** The headers of every response with the file. */
const about = () => ({
  etag: `"${sha256(Buffer.from(TEXT))}"`,
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-cache',
  'content-type': 'text/plain',
  'content-disposition': `attachment; filename="_rger.txt"; filename*=UTF-8''%C3%84rger.txt`,
  'x-content-type-options': 'nosniff',
})

const bytesOf = async (id: string, headers = {}): Promise<Buffer> => {
  const authorization = `Bearer ${school.token}`
  const answer = await fetch(`${server.url}/api/storage/blobs/${id}`, {
    headers: { authorization, ...headers },
  })
  return Buffer.from(await answer.arrayBuffer())
}

/** The open blob files of this process, which runs the server. */
const openFiles = () =>
  readdirSync('/proc/self/fd').filter(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(server.config.Storage.Url)
    } catch {
      return false // closed meanwhile
    }
  }).length

describe('a complete blob', () => {
  it('is sent with all its headers', async () => {
    const answer = await ask()
    expect([answer.status, answer.body]).toEqual([200, TEXT])
    expect(answer.headers).toMatchObject({ ...about(), 'content-length': '10' })
    expect(answer.headers['content-range']).toBeUndefined()
  })

  it('is described by HEAD, without its bytes', async () => {
    await expect.poll(() => openFiles()).toBe(0)
    const answer = await ask({}, 'HEAD')
    expect([answer.status, answer.body]).toEqual([200, ''])
    expect(answer.headers).toMatchObject({ ...about(), 'content-length': '10' })
    expect((await ask({ range: 'bytes=0-1' }, 'HEAD')).headers['content-length']).toBe('10') // RFC 9110 §14.2
    expect(openFiles()).toBe(0)
  })

  it('arrives unchanged, however large it is', async () => {
    const { id } = await testArchive.addBlob(tag, LARGE)
    expect(sha256(await bytesOf(id))).toBe(sha256(LARGE))
    const middle = LARGE.subarray(5_999_999, 15_000_001)
    expect(sha256(await bytesOf(id, { range: 'bytes=5999999-15000000' }))).toBe(sha256(middle))
  })

  it('may be empty', async () => {
    const { id } = await testArchive.addBlob(tag, '', { name: 'events.jsonl' })
    const answer = await ask({}, 'GET', id)
    expect([answer.status, answer.body, answer.headers['content-length']]).toEqual([200, '', '0'])
    const none = await ask({ range: 'bytes=0-' }, 'GET', id)
    expect(none).toEqual(refused(416, 'range_not_satisfiable'))
    expect(none.headers['content-range']).toBe('bytes */0')
  })
})

describe('a blob with If-Match', () => {
  const etag = () => about().etag
  it.each(['GET', 'HEAD'])('is sent while it is that version: %s (FILE-4)', async method => {
    for (const match of [etag(), '*', `"x", ${etag()}`])
      expect((await ask({ 'if-match': match }, method)).status, match).toBe(200)
    // Before all other conditions (RFC 9110, section 13.2.2), and never by a weak tag.
    for (const match of ['"x"', `W/${etag()}`, '']) {
      const answer = await ask({ 'if-match': match, 'if-none-match': etag(), range: 'bytes=0-1' }, method)
      expect(answer.status, match).toBe(412)
      if (method === 'GET') expect(answer).toEqual(refused(412, 'precondition_failed'))
    }
    expect((await ask({ 'if-match': etag(), 'if-none-match': etag() }, method)).status).toBe(304)
  })
})

describe('a range', () => {
  it.each([
    ['bytes=2-4', 'cde', 'bytes 2-4/10'],
    ['bytes=7-', 'hij', 'bytes 7-9/10'],
    ['bytes=-2', 'ij', 'bytes 8-9/10'],
    ['bytes=-11', TEXT, 'bytes 0-9/10'],
    ['bytes=8-100', 'ij', 'bytes 8-9/10'],
  ])('%s gives %s', async (range, text, contentRange) => {
    const answer = await ask({ range })
    expect([answer.status, answer.body]).toEqual([206, text])
    expect(answer.headers).toMatchObject({
      ...about(),
      'content-length': String(text.length),
      'content-range': contentRange,
    })
  })

  it.each(['bytes=0-1,4-5', 'bytes=10-', 'bytes=4-2', 'bytes=-0', 'bytes=x', 'lines=0-1', ''])(
    'is refused as "%s"',
    async range => {
      const answer = await ask({ range })
      expect(answer).toEqual(refused(416, 'range_not_satisfiable'))
      expect(answer.headers).toMatchObject({
        'content-range': 'bytes */10',
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      })
      for (const name of ['etag', 'content-disposition']) expect(answer.headers[name]).toBeUndefined()
    },
  )

  it('and its neighbouring ranges add up to the file', async () => {
    const parts = await Promise.all(
      ['0-3', '4-4', '5-'].map(async part => (await ask({ range: `bytes=${part}` })).body),
    )
    expect(parts.join('')).toBe(TEXT)
  })
})

describe('a conditional request', () => {
  const etag = () => about().etag

  it('with a matching entity tag gets 304, whatever the range', async () => {
    for (const known of [etag(), `W/${etag()}`, `"other", ${etag()}`, '*']) {
      const answer = await ask({ 'if-none-match': known, range: 'bytes=99-' })
      expect([answer.status, answer.body], known).toEqual([304, ''])
      expect(answer.headers.etag).toBe(etag())
    }
    expect((await ask({ 'if-none-match': etag() }, 'HEAD')).status).toBe(304)
  })

  it('with another entity tag gets the file', async () => {
    for (const other of ['"other"', etag().slice(1, -1), ''])
      expect((await ask({ 'if-none-match': other })).status, other).toBe(200)
  })

  it('with If-Range gets the range of the same file, and all of a changed one (FILE-4)', async () => {
    const range = 'bytes=2-4'
    expect((await ask({ range, 'if-range': etag() })).status).toBe(206)
    for (const other of ['"other"', `W/${etag()}`, new Date().toUTCString()])
      expect(await ask({ range, 'if-range': other }), other).toMatchObject({ status: 200, body: TEXT })
    expect((await ask({ range: 'rubbish', 'if-range': '"other"' })).status).toBe(200)
  })
})

describe('a download', () => {
  const pathOf = (id: string) => join(server.config.Storage.Url, id.slice(2, 4), id)

  /** A connection that has sent its request and does not read yet. */
  const connectAndAsk = async (...ids: string[]) => {
    const { hostname, port } = new URL(server.url)
    const socket = createConnection({ host: hostname, port: Number(port) }).pause()
    const headers = `Host: x\r\nAuthorization: Bearer ${school.token}`
    const last = ids.length - 1
    for (const [i, id] of ids.entries())
      socket.write(
        `GET /api/storage/blobs/${id} HTTP/1.1\r\n${headers}${i === last ? '\r\nConnection: close' : ''}\r\n\r\n`,
      )
    await expect.poll(() => openFiles()).toBe(new Set(ids).size)
    return socket
  }

  const isClosed = () => expect.poll(() => openFiles()).toBe(0)

  it('that the client aborts closes its file, and those of queued downloads', async () => {
    await isClosed()
    const [{ id }, { id: other }] = [
      await testArchive.addBlob(tag, LARGE),
      await testArchive.addBlob(tag, LARGE),
    ]
    const socket = await connectAndAsk(id, other, id)
    socket.destroy()
    await isClosed()
    expect((await ask()).status).toBe(200)
  })

  it('is not buffered in memory while the client does not read', async () => {
    await isClosed()
    const { id } = await testArchive.addBlob(tag, LARGE)
    const socket = await connectAndAsk(id)
    await bytesOf(id) // a server that does not wait for the first client has read all for it before this one has all
    const half = LARGE.length / 2
    const file = openSync(pathOf(id), 'r+')
    writeSync(file, Buffer.alloc(half), 0, half, half)
    closeSync(file)
    const answer = await buffer(socket)
    const body = answer.subarray(answer.indexOf('\r\n\r\n') + 4)
    expect(body.length).toBe(LARGE.length)
    expect(body.subarray(half).equals(Buffer.alloc(half))).toBe(true)
  })

  it('does not mix with a concurrent one', async () => {
    const contents = [LARGE.subarray(0, 9_000_000), LARGE.subarray(9_000_000)]
    const blobs = await Promise.all(contents.map(bytes => testArchive.addBlob(tag, bytes)))
    const downloads = [...blobs, ...blobs].map(({ id }) => bytesOf(id))
    for (const [i, bytes] of (await Promise.all(downloads)).entries())
      expect(bytes.equals(contents[i % 2] as Buffer), `download ${i}`).toBe(true)
  })

  it('of a truncated file is aborted', async () => {
    const { id } = await testArchive.addBlob(tag, LARGE)
    truncateSync(pathOf(id), LARGE.length - 1)
    await expect(bytesOf(id)).rejects.toThrow('terminated')
    expect(server.log()).toContain('download aborted')
    expect(server.log()).not.toContain(id)
    await isClosed()
  })

  it('is counted in the metrics', async () => {
    await ask({ range: 'bytes=0-1' })
    const { body } = await server.call('GET', '/metrics')
    expect(body).toMatch(/_count{method="GET",route="\/api\/storage\/blobs\/:blob_id",status="206"} [1-9]/)
  })

  it('of a missing file is refused', async () => {
    const { id } = await testArchive.addBlob(tag, 'x')
    rmSync(pathOf(id))
    const answer = await ask({}, 'GET', id)
    expect(answer).toEqual(refused(404, 'blob_not_found'))
    expect(answer.headers['content-disposition']).toBeUndefined()
    const head = await ask({}, 'HEAD', id)
    expect([head.status, head.headers['content-disposition']]).toEqual([404, undefined])
  })
})
