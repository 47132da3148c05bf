import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pollUntil } from '@lectern/common'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, call } from '../../../testing/http.ts'
import type { Partner } from '../../../testing/partner.ts'
import { refused } from '../../../testing/refused.ts'
import type { Blob } from '../../ports.ts'
import { sha256 } from '../../testing/uploads.ts'
import { startBehindNginx } from './testing/behind-nginx.ts'

const TEXT = 'abcdefghij'
const SCOPES = { scopes: ['integration:rooms', 'blob'] }

let system: Awaited<ReturnType<typeof startBehindNginx>>
let school: Partner
let tag: string
let blob: Blob
beforeAll(async () => {
  system = await startBehindNginx({ remembers: true })
  school = await system.server.addPartner('school', SCOPES)
  tag = (await school.room('lesson')).tag
  blob = await system.testArchive.addBlob(tag, TEXT, { name: 'notes/Ärger.txt', contentType: 'text/plain' })
})
afterAll(() => system.close())

const ask = (options: Call, { id = blob.id, method = 'GET', query = '' } = {}) =>
  call(system.nginxUrl, method, `/api/storage/blobs/${id}${query}`, options)
const range = (text: string, token = school.token): Call => ({ token, headers: { range: `bytes=${text}` } })
const requestIdOf = async (options: Call) => (await ask(options)).headers['x-request-id']

describe('nginx that remembers permissions', () => {
  it('asks Lectern once for many ranges, and sends the bytes and headers of each', async () => {
    const ids = new Set<unknown>()
    // A permission that is forgotten in the middle costs one more question.
    for (let start = 0; start < 10; start++) {
      const answer = await ask(range(`${start}-${start}`))
      expect(answer).toMatchObject({
        status: 206,
        body: TEXT[start],
        headers: {
          etag: `"${sha256(Buffer.from(TEXT))}"`,
          'cache-control': 'private, no-cache',
          'content-type': 'text/plain',
          'content-length': '1',
          'content-range': `bytes ${start}-${start}/10`,
          'content-disposition': `attachment; filename="_rger.txt"; filename*=UTF-8''%C3%84rger.txt`,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
          'referrer-policy': 'no-referrer',
        },
      })
      ids.add(answer.headers['x-request-id'])
    }
    expect(ids.size).toBeLessThan(10)
  })

  it('sends large ranges unchanged', async () => {
    const bytes = randomBytes(9_000_000)
    const large = await system.testArchive.addBlob(tag, bytes)
    const answer = await fetch(`${system.nginxUrl}/api/storage/blobs/${large.id}`, {
      headers: { authorization: `Bearer ${school.token}`, range: 'bytes=1000-8000999' },
    })
    expect(answer.status).toBe(206)
    const received = Buffer.from(await answer.arrayBuffer())
    expect(sha256(received)).toBe(sha256(bytes.subarray(1000, 8_001_000)))
  })

  it('passes everything else to Lectern', async () => {
    const id = await requestIdOf(range('0-1'))
    const { token } = school
    const etag = `"${sha256(Buffer.from(TEXT))}"`
    const others: [Call, object][] = [
      [{ token }, { status: 200, body: TEXT }],
      [range('7-'), { status: 206, body: 'hij' }],
      [range('-2'), { status: 206, body: 'ij' }],
      [range('0-1,4-5'), refused(416, 'range_not_satisfiable')],
      [
        { token, headers: { 'if-none-match': etag } },
        { status: 304, body: '' },
      ],
      [
        { token, headers: { range: 'bytes=2-4', 'if-range': etag } },
        { status: 206, body: 'cde' },
      ],
      [
        { token, headers: { range: 'bytes=2-4', 'if-range': '"other"' } },
        { status: 200, body: TEXT },
      ],
    ]
    for (const [options, expected] of others) {
      const answer = await ask(options)
      expect(answer).toMatchObject(expected)
      expect(answer.headers['x-request-id']).not.toBe(id)
    }
    expect(await ask({ token }, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
    expect(await ask(range('0-1'), { method: 'DELETE' })).toMatchObject({ status: 405 })
  })

  it('refuses ranges beyond the end with the size', async () => {
    for (const beyond of ['10-12', '5-2']) {
      const answer = await ask(range(beyond))
      expect([answer.status, answer.headers['content-range']]).toEqual([416, 'bytes */10'])
    }
  })

  it('gives nobody what Lectern permits to others', async () => {
    const rival = await system.server.addPartner('rival', SCOPES)
    expect(await ask(range('0-1'))).toMatchObject({ status: 206 })
    expect(await ask(range('0-1', rival.token))).toEqual(refused(403, 'permission_denied'))
    expect(await ask(range('0-1', `${school.token}x`))).toEqual(refused(401, 'unauthenticated'))
    const headers = { range: 'bytes=0-1' }
    expect(await ask({ headers })).toEqual(refused(401, 'unauthenticated'))
    expect(await ask({ headers }, { query: `?t=${school.token}` })).toMatchObject({ status: 206, body: 'ab' })
    expect(await ask({ headers }, { query: `?t=${rival.token}` })).toEqual(refused(403, 'permission_denied'))
    const other = await system.testArchive.addBlob((await rival.room('lesson')).tag, 'secret')
    expect(await ask(range('0-1'), { id: other.id })).toEqual(refused(403, 'permission_denied'))
    expect(await ask(range('0-1', rival.token), { id: other.id })).toMatchObject({ status: 206, body: 'se' })
  })

  it('forgets a permission, and does not remember a refusal', async () => {
    const club = await system.server.addPartner('club', SCOPES)
    const { id } = await system.testArchive.addBlob((await club.room('lesson')).tag, TEXT)
    const status = async () => (await ask(range('0-1', club.token), { id })).status
    expect(await status()).toBe(206)
    await system.server.operator.serviceAccounts.set('club', { enabled: false })
    expect(
      await pollUntil(async () => (await status()) === 401, { intervalMs: 50, timeoutMs: 150_000 }),
    ).toBe(true)
    await system.server.operator.serviceAccounts.set('club', { enabled: true })
    expect(
      await pollUntil(async () => (await status()) === 206, { intervalMs: 50, timeoutMs: 150_000 }),
    ).toBe(true)
  })

  it('leaves a missing file to Lectern', async () => {
    const gone = await system.testArchive.addBlob(tag, TEXT)
    rmSync(join(system.folder, gone.id.slice(2, 4), gone.id))
    expect(await ask(range('0-1'), { id: gone.id })).toEqual(refused(404, 'blob_not_found'))
    expect(await ask(range('0-1'), { id: `b_${'0'.repeat(32)}` })).toEqual(refused(404, 'blob_not_found'))
  })

  it('opens none of its internal locations to clients', async () => {
    const path = `${blob.id.slice(2, 4)}/${blob.id}`
    for (const way of ['/lectern-permission', `/lectern-files/${path}`, `/api/../lectern-files/${path}`]) {
      const answer = await call(system.nginxUrl, 'GET', way, range('0-3'))
      expect([answer.status, String(answer.body).includes('abcd')], way).toEqual([404, false])
    }
  })
})
