import { randomBytes } from 'node:crypto'
import { createConnection } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Partner } from '../../../testing/partner.ts'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { sharedSwift } from '../../../testing/swift.ts'
import { S3Proxy } from '../../storage/testing/s3-proxy.ts'
import { openTestArchive, type TestArchive } from '../../testing/archive.ts'

const TEXT = 'abcdefghij'
const LARGE = randomBytes(24_000_000)
/** More than the buffers of two connections hold, which Linux enlarges up to 33 MB each. */
const HUGE = randomBytes(80_000_000)

let proxy: S3Proxy
let server: TestServer
let testArchive: TestArchive
let school: Partner
let tag: string
beforeAll(async () => {
  const swift = await sharedSwift()
  proxy = await S3Proxy.start(swift.endpoint)
  const bucket = await swift.bucket(`downloads-${process.pid}`, 'files')
  const Storage = { ...bucket, S3Endpoint: proxy.endpoint }
  server = await startTestServer({ Server: { LogLevel: 'info' }, Storage })
  testArchive = await openTestArchive(server)
  school = await server.addPartner('school', { scopes: ['integration:rooms', 'blob'] })
  tag = (await school.room('lesson')).tag
})
afterAll(async () => {
  await testArchive.close()
  await server.close()
  await proxy.close()
})

const ask = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.call(method, `/api/storage/blobs/${id}`, { token: school.token, headers })

/** A connection that has asked for a file and does not read yet. */
function connectAndAsk(id: string) {
  const { hostname, port } = new URL(server.url)
  const socket = createConnection({ host: hostname, port: Number(port) }).pause()
  const headers = `Host: x\r\nAuthorization: Bearer ${school.token}\r\nConnection: close`
  socket.write(`GET /api/storage/blobs/${id} HTTP/1.1\r\n${headers}\r\n\r\n`)
  return socket
}

describe('a download of a file in a bucket', () => {
  it('has the same ranges and conditions as one of a file on a disk (rule FILE-3)', async () => {
    const { id, sha256 } = await testArchive.addBlob(tag, TEXT)
    const etag = `"${sha256}"`
    expect(await ask(id)).toMatchObject({
      status: 200,
      body: TEXT,
      headers: { etag, 'content-length': '10' },
    })
    expect(await ask(id, { range: 'bytes=2-4' })).toMatchObject({
      status: 206,
      body: 'cde',
      headers: { 'content-range': 'bytes 2-4/10' },
    })
    expect(await ask(id, { range: 'bytes=-3' })).toMatchObject({ status: 206, body: 'hij' })
    for (const range of ['bytes=10-', 'bytes=0-1,4-5'])
      expect(await ask(id, { range })).toEqual(refused(416, 'range_not_satisfiable'))
    expect(await ask(id, { range: 'bytes=2-4', 'if-range': '"other"' })).toMatchObject({
      status: 200,
      body: TEXT,
    })
    const before = proxy.operations.length
    expect((await ask(id, { 'if-none-match': etag })).status).toBe(304)
    expect(proxy.operations).toHaveLength(before)
    expect((await ask(id, {}, 'HEAD')).headers['content-length']).toBe('10')
    expect(proxy.operations.slice(before)).toEqual(['HeadObject'])
    const empty = await testArchive.addBlob(tag, '')
    expect(await ask(empty.id)).toMatchObject({ status: 200, body: '' })
  })

  it('that the client aborts cancels the request to the bucket', async () => {
    const { id } = await testArchive.addBlob(tag, LARGE)
    const socket = connectAndAsk(id)
    await expect.poll(() => proxy.open).toBe(1)
    socket.destroy()
    await expect.poll(() => proxy.open).toBe(0)
  })

  it('pauses while the client does not read', async () => {
    const { id } = await testArchive.addBlob(tag, HUGE)
    proxy.bytes = 0
    const socket = connectAndAsk(id)
    let seen = -1
    await vi.waitFor(
      () => {
        const before = seen
        seen = proxy.bytes
        expect(seen).toBeGreaterThan(0)
        expect(seen).toBe(before) // the buffers of all sockets are full
      },
      { timeout: 100_000, interval: 500 },
    )
    expect(seen).toBeLessThan(HUGE.length)
    const answer = await buffer(socket)
    expect(answer.subarray(answer.indexOf('\r\n\r\n') + 4).equals(HUGE)).toBe(true)
  })

  it('is refused with Retry-After while the object storage fails', async () => {
    const { id } = await testArchive.addBlob(tag, TEXT)
    proxy.fault = () => ({ status: 503, code: 'SlowDown' })
    const answer = await ask(id)
    expect(answer).toEqual(refused(503, 'temporarily_unavailable'))
    expect(answer.headers).toMatchObject({ 'retry-after': '5' })
    expect(answer.headers['content-disposition']).toBeUndefined()
    proxy.fault = () => null
    expect(await ask(id)).toMatchObject({ status: 200, body: TEXT })
    expect(server.log()).toContain('S3 answered 503 to GetObject (SlowDown)')
    expect(server.log()).not.toMatch(/Signature|Credential|swift-secret/)
    expect((await server.call('GET', '/metrics')).body).toMatch(/object_storage_failures [1-9]/)
  })

  it('of a missing object is refused', async () => {
    const { id } = await testArchive.addBlob(tag, TEXT)
    proxy.fault = operation => (operation === 'GetObject' ? { status: 404, code: 'NoSuchKey' } : null)
    expect(await ask(id)).toEqual(refused(404, 'blob_not_found'))
    proxy.fault = () => null
  })
})
