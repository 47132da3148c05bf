import { randomBytes } from 'node:crypto'
import { rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, call } from '../../../testing/http.ts'
import type { Partner } from '../../../testing/partner.ts'
import { refused } from '../../../testing/refused.ts'
import type { Blob } from '../../ports.ts'
import { sha256 } from '../../testing/uploads.ts'
import { startBehindNginx } from './testing/behind-nginx.ts'

const TEXT = 'abcdefghij'
const LARGE = randomBytes(9_000_000)
const OWN = '/api/v1.0/me/recordings'

let system: Awaited<ReturnType<typeof startBehindNginx>>
let school: Partner
let tag: string
let blob: Blob
beforeAll(async () => {
  system = await startBehindNginx()
  school = await system.server.addPartner('school', { scopes: ['integration:rooms', 'blob'] })
  tag = (await school.room('lesson')).tag
  const about = { name: 'notes/Ärger.txt', contentType: 'text/plain' }
  blob = await system.testArchive.addBlob(tag, TEXT, about)
})
afterAll(() => system.close())

const ask = (headers: Record<string, string> = {}, method = 'GET', id = blob.id) =>
  call(system.nginxUrl, method, `/api/storage/blobs/${id}`, { token: school.token, headers })
const direct = (headers: Record<string, string>, method = 'GET', id = blob.id) =>
  system.server.call(method, `/api/storage/blobs/${id}`, { token: school.token, headers })
const about = () => ({
  etag: `"${sha256(Buffer.from(TEXT))}"`,
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-cache',
  'content-type': 'text/plain',
  'content-disposition': `attachment; filename="_rger.txt"; filename*=UTF-8''%C3%84rger.txt`,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-request-id': expect.stringMatching(/./),
})
const pathOf = (id: string) => join(system.folder, id.slice(2, 4), id)

describe('a download through nginx', () => {
  it('has the headers and the bytes of the file, which nginx reads', async () => {
    const answer = await ask()
    expect(answer).toMatchObject({ status: 200, body: TEXT, headers: { ...about(), 'content-length': '10' } })
    expect(answer.headers['x-accel-redirect']).toBeUndefined()
    const response = await direct({ 'x-forwarded-for': '203.0.113.1' })
    expect(response).toMatchObject({ status: 200, body: '' })
    expect(response.headers['x-accel-redirect']).toBe(`/lectern-files/${blob.id.slice(2, 4)}/${blob.id}`)
    expect(statSync(pathOf(blob.id)).mode & 0o777).toBe(0o640)
  })

  it('is described by HEAD', async () => {
    const answer = await ask({}, 'HEAD')
    expect(answer).toMatchObject({ status: 200, body: '', headers: { ...about(), 'content-length': '10' } })
  })

  it.each([
    ['bytes=2-4', 'cde', 'bytes 2-4/10'],
    ['bytes=7-', 'hij', 'bytes 7-9/10'],
    ['bytes=-2', 'ij', 'bytes 8-9/10'],
    ['bytes=8-100', 'ij', 'bytes 8-9/10'],
  ])('of the range %s gives %s', async (range, body, contentRange) => {
    const { 'accept-ranges': _, ...others } = about() // nginx leaves it out here
    const headers = { ...others, 'content-range': contentRange, 'content-length': String(body.length) }
    expect(await ask({ range })).toMatchObject({ status: 206, body, headers })
  })

  it.each(['bytes=0-1,4-5', 'bytes=10-', 'bytes=x'])('is refused with the range %s', async range => {
    const answer = await ask({ range })
    expect(answer).toEqual(refused(416, 'range_not_satisfiable'))
    expect(answer.headers['content-range']).toBe('bytes */10')
  })

  it('fulfils conditions by the entity tag of Lectern', async () => {
    const { etag } = about()
    for (const known of [etag, `W/${etag}`, '*'])
      expect(await ask({ 'if-none-match': known })).toMatchObject({ status: 304, body: '' })
    expect(await ask({ 'if-none-match': '"other"' })).toMatchObject({ status: 200, body: TEXT })
    const range = 'bytes=2-4'
    expect(await ask({ range, 'if-range': etag })).toMatchObject({ status: 206, body: 'cde' })
    for (const other of ['"other"', `W/${etag}`])
      expect(await ask({ range, 'if-range': other })).toMatchObject({ status: 200, body: TEXT })
  })

  it('arrives unchanged when it is large, and may be empty', async () => {
    const large = await system.testArchive.addBlob(tag, LARGE)
    const url = `${system.nginxUrl}/api/storage/blobs/${large.id}`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${school.token}` } })
    expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(sha256(LARGE))
    const empty = await system.testArchive.addBlob(tag, '')
    expect(await ask({}, 'GET', empty.id)).toMatchObject({ status: 200, body: '' })
  })

  it('of a missing or truncated file fails as without nginx', async () => {
    const [gone, short] = [
      await system.testArchive.addBlob(tag, 'x'),
      await system.testArchive.addBlob(tag, TEXT),
    ]
    rmSync(pathOf(gone.id))
    expect(await ask({}, 'GET', gone.id)).toEqual(refused(404, 'blob_not_found'))
    truncateSync(pathOf(short.id), 4)
    // nginx may have sent the head already, or not.
    const answer = await ask({}, 'GET', short.id).catch(() => null)
    expect([null, 502]).toContain(answer === null ? null : answer.status)
  })
})

describe('the internal location', () => {
  it('is not reachable from outside', async () => {
    const path = `${blob.id.slice(2, 4)}/${blob.id}`
    const ways = [
      `/lectern-files/${path}`,
      `//lectern-files//${path}`,
      `/lectern%2dfiles/${path}`,
      `/api/../lectern-files/${path}`,
      `/lectern-files/../lectern-files/${path}`,
      '/lectern-files/',
    ]
    for (const way of ways)
      for (const method of ['GET', 'HEAD']) {
        const headers = { 'x-accel-redirect': `/lectern-files/${path}`, range: 'bytes=0-3' }
        const answer = await call(system.nginxUrl, method, way, { token: school.token, headers })
        expect([answer.status, String(answer.body).includes('abcd')], way).toEqual([404, false])
      }
  })
})

describe('Lectern', () => {
  it('authorises every request', async () => {
    const rival = await system.server.addPartner('rival', { scopes: ['integration:rooms', 'blob'] })
    const get = (options: Call, query = '') =>
      call(system.nginxUrl, 'GET', `/api/storage/blobs/${blob.id}${query}`, options)
    expect(await get({})).toEqual(refused(401, 'unauthenticated'))
    expect(await get({}, `?t=${school.token}x`)).toEqual(refused(401, 'unauthenticated'))
    expect(await get({ token: rival.token })).toEqual(refused(403, 'permission_denied'))
    expect(await get({}, `?t=${school.token}`)).toMatchObject({ status: 200, body: TEXT })
    const club = await system.server.addPartner('club', { scopes: ['integration:rooms', 'blob'] })
    await system.server.operator.serviceAccounts.set('club', { enabled: false })
    expect(await get({ token: club.token })).toEqual(refused(401, 'unauthenticated'))
  })

  it('refuses a revoked link', async () => {
    await system.server.addUser('anna', { password: 'correct horse' })
    const body = { login: 'anna', password: 'correct horse' }
    const { access_token: token, refresh_token } = (
      await system.server.call('POST', '/api/v1.0/auth/login', { body })
    ).body
    const conference = (
      await system.server.call('POST', '/api/v1.0/conferences', { token, body: { title: 'Review' } })
    ).body
    const { id } = await system.testArchive.addBlob(conference.tag, TEXT, { jobId: 'job_1' })
    await system.testArchive.addRecording(conference.tag, 'job_1', { blobIds: [id] })
    const { url } = (await system.server.call('POST', `${OWN}/job_1/files/${id}/link`, { token })).body
    const get = (headers = {}) => call(system.nginxUrl, 'GET', url, { headers })
    expect(await get({ range: 'bytes=0-2' })).toMatchObject({ status: 206, body: 'abc' })
    await system.server.call('POST', '/api/v1.0/auth/logout', { body: { refresh_token } })
    expect(await get()).toEqual(refused(401, 'session_ended'))
  })

  it('sends the file itself to clients that do not come through the proxy', async () => {
    const answer = await direct({ range: 'bytes=2-4' })
    expect(answer).toMatchObject({ status: 206, body: 'cde', headers: { 'content-range': 'bytes 2-4/10' } })
    expect(answer.headers['x-accel-redirect']).toBeUndefined()
  })
})
