import { statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../../../testing/http.ts'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { Layout } from '../../storage/layout.ts'
import { openWorker, sha256, type TestWorker } from '../../testing/worker.ts'

const TAG = 'aaaa-bbbbb-cccc'
const BYTES = Buffer.from('0123456789')
const PATH = '/api/storage/uploads'

let server: TestServer
let recorder: TestWorker
let job: string
beforeAll(async () => {
  server = await startTestServer()
  recorder = await openWorker(server, 'recorder', 'jobs.recorder')
  job = await recorder.lease('recording', TAG)
})
afterAll(async () => {
  await recorder.close()
  await server.close()
})

const encode = (metadata: Record<string, string>) =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

const about = (changes: Record<string, string> = {}) => ({
  job_id: job,
  path: 'tracks/audio/device_7.ogg',
  content_type: 'audio/ogg',
  sha256: sha256(BYTES),
  ...changes,
})

const tus = { 'tus-resumable': '1.0.0' }
const type = { 'content-type': 'application/offset+octet-stream' }

const create = (changes: Record<string, string> = {}, size: number | string = BYTES.length, more = {}) =>
  server.call('POST', PATH, {
    token: recorder.token,
    headers: { ...tus, 'upload-length': String(size), 'upload-metadata': encode(about(changes)) },
    ...more,
  })
const begin = async (changes: Record<string, string> = {}) => {
  const { status, headers } = await create(changes)
  expect(status).toBe(201)
  return headers.location as string
}
const patch = (location: string, offset: number, raw: Buffer, token = recorder.token) =>
  server.call('PATCH', location, {
    token,
    raw,
    headers: { ...tus, ...type, 'upload-offset': String(offset) },
  })
const head = (location: string, token = recorder.token) =>
  server.call('HEAD', location, { token, headers: tus })
/** Waits until the file of the upload has this size. */
const stored = (location: string, bytes: number) => {
  const files = new Layout(join(server.config.Server.DataDir, 'blobs'))
  const part = files.partPath(location.slice(PATH.length + 1))
  return expect.poll(() => statSync(part).size).toBe(bytes)
}

describe('an upload', () => {
  it('in two parts becomes a file of the recording (rule U5)', async () => {
    const location = await begin()
    expect(location).toMatch(/^\/api\/storage\/uploads\/b_[0-9a-f]{32}$/)
    expect(await patch(location, 0, BYTES.subarray(0, 4))).toMatchObject({
      status: 204,
      headers: { 'upload-offset': '4', 'tus-resumable': '1.0.0' },
    })
    expect((await head(location)).headers).toMatchObject({ 'upload-offset': '4', 'upload-length': '10' })
    const last = await patch(location, 4, BYTES.subarray(4))
    const blobId = location.slice(PATH.length + 1)
    expect(last).toMatchObject({ status: 204, headers: { 'upload-blob-id': blobId, 'upload-offset': '10' } })
    const blob = await server.call('GET', `/api/storage/blobs/${blobId}`, { token: recorder.token })
    expect(blob).toMatchObject({ status: 200, body: '0123456789', headers: { 'content-type': 'audio/ogg' } })
  })

  it('belongs to the owner of the conference, or else to the uploading account', async () => {
    const school = await server.addPartner('school', { scopes: ['integration:rooms', 'blob'] })
    const { tag } = await school.room('lesson')
    const anna = await server.addUser('anna')
    const login = { login: 'anna', password: anna.password }
    const { access_token } = (await server.call('POST', '/api/v1.0/auth/login', { body: login })).body
    const own = await server.call('POST', '/api/v1.0/conferences', { token: access_token, body: {} })
    for (const [conference, reader] of [
      [tag, school.token],
      [own.body.tag, access_token],
    ]) {
      const location = await begin({ job_id: await recorder.lease('recording', conference) })
      await patch(location, 0, BYTES)
      const blob = location.replace('uploads', 'blobs')
      expect((await server.call('GET', blob, { token: reader })).status).toBe(200)
      expect(await server.call('GET', blob, { token: recorder.token })).toEqual(
        refused(403, 'permission_denied'),
      )
    }
  })

  it('resumes at the last received byte (rule U4)', async () => {
    const location = await begin()
    const { hostname, port } = new URL(server.url)
    const headers = {
      ...tus,
      ...type,
      'upload-offset': '0',
      'content-length': '10',
      authorization: `Bearer ${recorder.token}`,
    }
    const cut = request({ hostname, port, path: location, method: 'PATCH', headers, agent: false })
    cut.on('error', () => {})
    cut.write('0123')
    await stored(location, 4)
    cut.destroy()
    expect((await head(location)).headers['upload-offset']).toBe('4')
    expect((await patch(location, 4, BYTES.subarray(4))).headers['upload-blob-id']).toBeTruthy()
  })

  it('that stalls releases its lock to the next request, which resumes it', async () => {
    const location = await begin()
    const { hostname, port } = new URL(server.url)
    const headers = { ...tus, ...type, 'upload-offset': '0', 'content-length': '10' }
    const authorization = `Bearer ${recorder.token}`
    const options = { hostname, port, path: location, method: 'PATCH', agent: false }
    const stalled = request({ ...options, headers: { ...headers, authorization } })
    stalled.on('error', () => {})
    stalled.write('01234')
    await stored(location, 5)
    expect((await head(location)).headers['upload-offset']).toBe('5')
    expect((await patch(location, 5, BYTES.subarray(5))).status).toBe(204)
    stalled.destroy()
  })

  it('survives a restart of the server (rule U4)', async () => {
    const settings = { Server: { Port: '0' } }
    const first = await startTestServer(settings)
    const folder = first.config.Server.DataDir.replace(/\/data$/, '')
    const worker = await openWorker(first, 'recorder', 'jobs.recorder')
    const job_id = await worker.lease('recording', TAG)
    const metadata = encode({ ...about(), job_id })
    const token = worker.token
    const { headers } = await first.call('POST', PATH, {
      token,
      headers: { ...tus, 'upload-length': '10', 'upload-metadata': metadata },
    })
    const location = headers.location as string
    const send = (to: TestServer, offset: number, raw: Buffer) =>
      to.call('PATCH', location, { token, raw, headers: { ...tus, ...type, 'upload-offset': `${offset}` } })
    await send(first, 0, BYTES.subarray(0, 7))
    await first.stop()
    const second = await startTestServer(settings, folder)
    expect((await second.call('HEAD', location, { token, headers: tus })).headers['upload-offset']).toBe('7')
    expect((await send(second, 7, BYTES.subarray(7))).headers['upload-blob-id']).toBeTruthy()
    await worker.close()
    await second.close()
  })

  it('whose last response was lost is stored by a HEAD request', async () => {
    const location = await begin()
    await patch(location, 0, BYTES)
    for (let i = 0; i < 2; i++)
      expect((await head(location)).headers).toMatchObject({
        'upload-offset': '10',
        'upload-blob-id': location.slice(PATH.length + 1),
      })
  })

  it('of zero bytes is stored when it is created', async () => {
    const { status, headers } = await create({ sha256: sha256('') }, 0)
    expect([status, headers['upload-blob-id']]).toEqual([201, headers.location?.slice(PATH.length + 1)])
  })

  it('with a wrong hash is refused and deleted (rule U5)', async () => {
    const location = await begin({ sha256: sha256('others') })
    expect(await patch(location, 0, BYTES)).toEqual(
      refused(400, 'invalid_argument', expect.stringMatching(/sha256/)),
    )
    expect((await head(location)).status).toBe(404)
  })
})

describe('tus 1.0.0', () => {
  it('is described by OPTIONS, also without a token (rule U9)', async () => {
    for (const path of [PATH, `${PATH}/x`]) {
      const { status, headers } = await call(server.url, 'OPTIONS', path)
      expect([status, headers['tus-resumable'], headers['tus-version'], headers['tus-extension']]).toEqual([
        204,
        '1.0.0',
        '1.0.0',
        'creation',
      ])
      expect(Number(headers['tus-max-size'])).toBe(200 * 1024 ** 3)
    }
  })

  it('is the only version (rule U9)', async () => {
    const location = await begin()
    const metadata = { 'upload-length': '10', 'upload-metadata': encode(about()) }
    const { token } = recorder
    const versions: Record<string, string>[] = [{}, { 'tus-resumable': '0.2.2' }]
    for (const headers of versions)
      for (const [method, path] of [
        ['POST', PATH],
        ['HEAD', location],
        ['PATCH', location],
      ] as const) {
        const answer = await server.call(method, path, { token, headers: { ...metadata, ...headers } })
        expect(answer.status).toBe(412)
        expect(answer.headers['tus-version']).toBe('1.0.0')
        if (method === 'POST')
          expect(answer).toEqual(refused(412, 'precondition_failed', expect.stringContaining('1.0.0')))
      }
  })

  it('is named in every response', async () => {
    const answers = [
      await create({ path: '' }),
      await head(`${PATH}/x`),
      await create({}, 10, { token: 'x' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 404, 401])
    for (const { headers } of answers) expect(headers['tus-resumable']).toBe('1.0.0')
  })

  it('takes the method from X-HTTP-Method-Override (rule U9)', async () => {
    const location = await begin()
    const override = (method: string, headers: Record<string, string> = {}, raw = Buffer.alloc(0)) =>
      call(server.url, 'POST', location, {
        token: recorder.token,
        raw,
        headers: { ...tus, 'x-http-method-override': method, ...headers },
      })
    const headers = { ...type, 'upload-offset': '0' }
    expect(await override('PATCH', headers, BYTES.subarray(0, 4))).toMatchObject({
      status: 204,
      headers: { 'upload-offset': '4' },
    })
    expect((await override('head')).headers['upload-offset']).toBe('4')
    expect((await override('OPTIONS')).headers['tus-version']).toBe('1.0.0')
    expect(await override('DELETE')).toEqual(refused(405, 'method_not_allowed'))
    expect(
      await server.call('POST', '/api/v1.0/auth/logout', { headers: { 'x-http-method-override': 'GET' } }),
    ).toEqual(refused(400, 'invalid_argument'))
  })

  it('has no encoded bodies', async () => {
    const location = await begin()
    const answer = await server.call('PATCH', location, {
      token: recorder.token,
      raw: BYTES,
      headers: { ...tus, ...type, 'upload-offset': '0', 'content-encoding': 'gzip' },
    })
    expect(answer).toEqual(refused(415, 'unsupported_media_type'))
    expect((await head(location)).headers['upload-offset']).toBe('0')
  })
})

describe('an upload is refused', () => {
  it.each([
    ['a path that escapes its folder', { path: '../other' }],
    ['an absolute path', { path: '/etc/passwd' }],
    ['a path with an empty part', { path: 'a//b' }],
    ['a hidden file', { path: 'a/.b' }],
    ['unknown characters', { path: 'a b' }],
    ['a long path', { path: 'a'.repeat(256) }],
    ['no path', { path: '' }],
    ['a malformed type', { content_type: 'audio/ogg; x="\r\ny: z"' }],
    ['a malformed hash', { sha256: 'ABC' }],
  ])('with %s', async (_, changes) => {
    expect(await create(changes)).toEqual(refused(400, 'invalid_argument'))
  })

  it('without its required headers and metadata (rules U1 and U2)', async () => {
    const ask = (headers: Record<string, string>) =>
      server.call('POST', PATH, { token: recorder.token, headers })
    const metadata = { 'upload-metadata': encode(about()) }
    const bad = refused(400, 'invalid_argument')
    expect(await ask({ ...tus, ...metadata })).toEqual(bad)
    expect(await ask({ ...tus, ...metadata, 'upload-length': 'x' })).toEqual(bad)
    expect(await ask({ ...tus, ...metadata, 'upload-defer-length': '1' })).toEqual(bad)
    expect(await ask({ ...tus, 'upload-length': '10' })).toEqual(bad)
    expect(await ask({ ...tus, 'upload-length': '10', 'upload-metadata': 'job_id ###' })).toEqual(bad)
  })

  it('when it is too large, for a recording or for a transcript (rule U3)', async () => {
    expect(await create({}, 2 ** 50)).toEqual(refused(413, 'payload_too_large'))
    const transcriber = await openWorker(server, 'transcriber', 'jobs.transcriber')
    const job_id = await transcriber.lease('transcription', TAG)
    const { token } = transcriber
    expect(await create({ job_id }, 2 ** 27, { token })).toEqual(refused(413, 'payload_too_large'))
    expect((await create({ job_id }, 2 ** 20, { token })).status).toBe(201)
    await transcriber.close()
  })

  it('when the disk has too little space (rule U3)', async () => {
    const answer = await create({}, 200 * 1024 ** 3 - 1)
    expect(answer).toEqual(refused(507, 'insufficient_storage'))
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('at a wrong offset, and beyond its end (rule U4)', async () => {
    const location = await begin()
    await patch(location, 0, BYTES.subarray(0, 4))
    expect(await patch(location, 2, BYTES.subarray(2))).toEqual(refused(409, 'upload_conflict'))
    expect(await patch(location, 4, BYTES)).toEqual(refused(413, 'payload_too_large'))
    expect((await patch(location, 4, BYTES.subarray(4))).status).toBe(204)
  })

  it('when its path names another upload, whatever follows', async () => {
    const other = await openWorker(server, 'stranger', 'jobs.recorder')
    const job_id = await other.lease('recording', 'their-conf')
    const headers = { ...tus, 'upload-length': '10', 'upload-metadata': encode(about({ job_id })) }
    const theirs = (await server.call('POST', PATH, { token: other.token, headers })).headers.location ?? ''
    const location = await begin()
    expect((await patch(`${location}?x=/${theirs.split('/').at(-1)}`, 0, BYTES.subarray(0, 4))).status).toBe(
      204,
    )
    expect((await head(theirs, other.token)).headers['upload-offset']).toBe('0')
    expect((await head(location)).headers['upload-offset']).toBe('4')
    await other.close()
  })

  it('that is already complete', async () => {
    const location = await begin()
    await patch(location, 0, BYTES)
    expect(await patch(location, 10, Buffer.from('x'))).toEqual(refused(409, 'upload_conflict'))
    expect(await patch(location, 0, BYTES)).toEqual(refused(409, 'upload_conflict'))
  })

  it('from a worker that does not hold the job (rule J4)', async () => {
    const location = await begin()
    const other = await openWorker(server, 'other', 'jobs.recorder')
    const anna = await openWorker(server, 'ann', 'recordings.access')
    const denied = refused(403, 'permission_denied')
    for (const { token } of [other, anna]) {
      expect(await create({}, 10, { token })).toEqual(denied)
      expect(await patch(location, 0, BYTES, token)).toEqual(denied)
      expect((await head(location, token)).status).toBe(403)
    }
    expect(await create({ job_id: 'job_none' })).toEqual(denied)
    const ended = await recorder.lease('recording', 'other-conf')
    const begun = await begin({ job_id: ended })
    await recorder.end(ended)
    expect(await create({ job_id: ended })).toEqual(denied)
    expect(await patch(begun, 0, BYTES)).toEqual(denied)
    await other.close()
    await anna.close()
  })

  it('without a token, and for an unknown upload', async () => {
    expect(await server.call('POST', PATH, { headers: tus })).toEqual(refused(401, 'unauthenticated'))
    expect(await patch(`${PATH}/b_${'0'.repeat(32)}`, 0, BYTES)).toEqual(refused(404, 'blob_not_found'))
    expect(await patch(`${PATH}/..%2f..%2fx`, 0, BYTES)).toEqual(refused(404, 'blob_not_found'))
    expect(await server.call('GET', PATH, {})).toEqual(refused(405, 'method_not_allowed'))
    expect(await server.call('PUT', PATH, { raw: 'x' })).toEqual(refused(405, 'method_not_allowed'))
  })
})
