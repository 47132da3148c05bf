import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LecternError, PartnerClient } from './index.ts'
import { answer, ScriptedServer } from './scripted-server.ts'

let server: ScriptedServer
let client: PartnerClient

beforeEach(async () => {
  server = await ScriptedServer.open()
  client = new PartnerClient({
    baseUrl: server.url,
    serviceAccount: 'school',
    clientSecret: 'a-very-secret-secret',
    retryDelaysMs: [],
  })
})
afterEach(() => server.close())

const requests = () => server.seen.map(({ method, url }) => `${method} ${url}`)

describe('PartnerClient', () => {
  it('sends the requests of the API reference', async () => {
    await client.serverInfo()
    await client.createRoom('lesson-1', { title: 'Algebra' })
    await client.getRoom('lesson-1')
    await client.updateRoom('lesson-1', { title: 'Geometry' })
    await client.cancelRoom('lesson-1')
    await client.closeRoom('lesson-1')
    await client.roomStatus('lesson-1')
    await client.setWebhook({ enabled: false })
    await client.getWebhook()
    await client.listRooms({ teacher: 't 1', limit: 10 })
    await client.listRooms()
    await client.testWebhook()
    await client.rotateWebhookSecret({ secret: 'a secret of some length', overlap_seconds: 60 })
    await client.finishWebhookRotation()
    await client.listDeliveries({ status: 'failed', before: '12.wh_1' })
    await client.getDelivery('wh_1')
    await client.replayDelivery('wh_1')
    await client.deleteWebhook()
    expect(requests()).toEqual([
      'GET /api/v1/integration/server_info',
      'PUT /api/v1/integration/rooms/lesson-1',
      'GET /api/v1/integration/rooms/lesson-1',
      'PATCH /api/v1/integration/rooms/lesson-1',
      'POST /api/v1/integration/rooms/lesson-1/cancel',
      'POST /api/v1/integration/rooms/lesson-1/close',
      'GET /api/v1/integration/rooms/lesson-1/status',
      'PUT /api/v1/integration/webhook',
      'GET /api/v1/integration/webhook',
      'GET /api/v1/integration/rooms?teacher=t+1&limit=10',
      'GET /api/v1/integration/rooms',
      'POST /api/v1/integration/webhook/test',
      'POST /api/v1/integration/webhook/rotate',
      'POST /api/v1/integration/webhook/rotate/finish',
      'GET /api/v1/integration/webhook/deliveries?status=failed&before=12.wh_1',
      'GET /api/v1/integration/webhook/deliveries/wh_1',
      'POST /api/v1/integration/webhook/deliveries/wh_1/replay',
      'DELETE /api/v1/integration/webhook',
    ])
    expect(server.seen.map(({ body }) => body)).toEqual([
      '',
      '{"title":"Algebra"}',
      '',
      '{"title":"Geometry"}',
      '',
      '',
      '',
      '{"enabled":false}',
      ...['', '', '', ''],
      '{"secret":"a secret of some length","overlap_seconds":60}',
      ...['', '', '', '', ''],
    ])
    for (const { body, headers } of server.seen) {
      expect(headers['content-type']).toBe(body ? 'application/json' : undefined)
    }
  })

  it('refuses ids of deliveries that would lead to another address', async () => {
    for (const id of ['..', '.', '\0'])
      await expect(client.getDelivery(id)).rejects.toMatchObject({ code: 'invalid_argument' })
    expect(server.seen).toEqual([])
  })

  it('returns the response of the server', async () => {
    const room = { result: 200, external_id: 'lesson-1', tag: 'quiet-river', status: 'scheduled' }
    server.play(answer(200, room))
    expect(await client.createRoom('lesson-1')).toEqual(room)
  })

  it('supports a base URL with a path', async () => {
    const proxied = new PartnerClient({
      baseUrl: `${server.url}/meet`,
      serviceAccount: 'school',
      clientSecret: 'a-very-secret-secret',
    })
    await proxied.getRoom('lesson-1')
    await proxied.downloadBlob('/api/storage/blobs/b1')
    expect(server.tokenRequests[0]?.url).toBe('/meet/api/v1/integration/auth/token')
    expect(requests()).toEqual([
      'GET /meet/api/v1/integration/rooms/lesson-1',
      'GET /meet/api/storage/blobs/b1',
    ])
  })
})

describe('an external_id', () => {
  it('reaches the server unchanged, whatever characters it contains', async () => {
    for (const id of ['a/b', 'урок №1', '50% + ?x=#y&z', '%2e%2e', '...', 'a/../b', '\\', '😀'.repeat(255)]) {
      await client.getRoom(id)
      const path = new URL(server.seen.at(-1)?.url ?? '', server.url).pathname
      expect(decodeURIComponent(path.replace('/api/v1/integration/rooms/', ''))).toBe(id)
    }
  })

  it('is rejected without a request if it is invalid', async () => {
    for (const id of ['', '.', '..', 'x'.repeat(256), '\ud800', 'a\0b', undefined as unknown as string]) {
      await expect(client.createRoom(id), inspect(id)).rejects.toMatchObject({
        code: 'invalid_argument',
        status: null,
        retryable: false,
      })
    }
    expect(server.tokenRequests).toEqual([])
  })
})

describe('listRecordings', () => {
  it('returns the records', async () => {
    server.play(answer(200, { ok: true, recordings: [{ id: 'job-1', db_path: '/ignored' }] }))
    expect(await client.listRecordings()).toEqual([{ id: 'job-1', db_path: '/ignored' }])
    expect(requests()).toEqual(['GET /api/v1.0/recordings'])
    expect(server.seen[0]?.headers.accept).toBe('application/json')
  })

  it('throws if the archive reports a failure with status 200', async () => {
    server.play(answer(200, { ok: false, error: 'index is locked', recordings: [] }))
    await expect(client.listRecordings()).rejects.toMatchObject({
      code: 'archive_unavailable',
      message: 'index is locked',
      status: 200,
      retryable: true,
    })
  })
})

describe('downloadBlob', () => {
  it('accepts an id, a relative and an absolute URL', async () => {
    await client.downloadBlob('b 1')
    await client.downloadBlob('/api/storage/blobs/b2')
    await client.downloadBlob('api/storage/blobs/b3')
    await client.downloadBlob(`${server.url}/api/storage/blobs/b4`)
    expect(requests()).toEqual([
      'GET /api/storage/blobs/b%201',
      'GET /api/storage/blobs/b2',
      'GET /api/storage/blobs/b3',
      'GET /api/storage/blobs/b4',
    ])
    expect(server.bearers).toEqual(Array(4).fill('token-1'))
  })

  it('sends the range and returns the unread response', async () => {
    server.play(answer(206, 'llo', { 'content-range': 'bytes 2-4/5' }))
    const response = await client.downloadBlob('b1', { range: 'bytes=2-' })
    expect(response.status).toBe(206)
    expect(await response.text()).toBe('llo')
    expect(server.seen[0]?.headers.range).toBe('bytes=2-')
  })

  it('throws the errors of the storage', async () => {
    server.play(answer(416, ''), answer(403, { result: 403, code: 'permission_denied', message: 'No.' }))
    await expect(client.downloadBlob('b1', { range: 'bytes=9-1' })).rejects.toMatchObject({
      status: 416,
      code: 'http_416',
    })
    await expect(client.downloadBlob('b1')).rejects.toMatchObject({ status: 403, message: 'No.' })
  })

  it('never sends the token to another origin', async () => {
    const other = await ScriptedServer.open()
    const port = new URL(other.url).port
    for (const url of [`${other.url}/file`, `//127.0.0.1:${port}/file`, `\\\\127.0.0.1:${port}/file`]) {
      await client.downloadBlob(url)
    }
    expect(other.bearers).toEqual([undefined, undefined, undefined])
    expect(server.tokenRequests).toEqual([])
    await other.close()
  })

  it('does not follow a redirect to another origin', async () => {
    const other = await ScriptedServer.open()
    server.play(answer(302, '', { location: `${other.url}/file` }))
    await expect(client.downloadBlob('b1')).rejects.toMatchObject({ code: 'redirected', status: 302 })
    expect(other.seen).toEqual([])
    await other.close()
  })

  it('rejects URLs that are not http(s)', async () => {
    for (const url of ['', '.', '..', 'file:///etc/passwd', 'data:text/plain,x/y', 'http://[']) {
      await expect(client.downloadBlob(url), url).rejects.toMatchObject({ code: 'invalid_argument' })
    }
    expect(server.seen).toEqual([])
  })
})

describe('a secret', () => {
  it('does not appear in the client or its errors', async () => {
    const wrong = { result: 401, code: 'invalid_credentials', message: 'Wrong.' }
    server.playTokens(answer(401, wrong), server.goodToken())
    const refused = await client.getRoom('x').catch((error: unknown) => error)
    server.play(response => void response.socket?.destroy())
    const failed = await client.getRoom('x').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(LecternError)
    expect(failed).toBeInstanceOf(LecternError)
    for (const each of [client, refused, failed]) {
      const shown = inspect(each, { depth: 20, showHidden: true }) + JSON.stringify(each)
      expect(shown).not.toContain('a-very-secret-secret')
      expect(shown).not.toContain('token-1')
    }
  })

  it('does not appear when the server issues an invalid token', async () => {
    server.playTokens(answer(200, { result: 200, access_token: 'half\nhidden', expires_in: 60 }))
    const error = await client.getRoom('x').catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'bad_answer' })
    expect(inspect(error)).not.toContain('hidden')
  })
})

describe('the options', () => {
  it('are validated by the constructor', () => {
    const options = { baseUrl: 'https://meet.example.org', serviceAccount: 'school', clientSecret: 's' }
    expect(() => new PartnerClient(options)).not.toThrow()
    for (const wrong of [
      { baseUrl: 'meet.example.org' },
      { baseUrl: 'ftp://meet.example.org' },
      { baseUrl: 'https://user:pass@meet.example.org' },
      { baseUrl: 'https://meet.example.org/?x' },
      { serviceAccount: '' },
      { clientSecret: '' },
    ]) {
      expect(() => new PartnerClient({ ...options, ...wrong }), inspect(wrong)).toThrow(LecternError)
    }
  })
})
