import { randomBytes } from 'node:crypto'
import { type UploadOptions, uploadFile } from '@lectern/control-client/upload'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClusterParticipant } from '../../../testing/cluster-participant.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

const PIECE = 8 * 1024 * 1024

let server: TestServer
let token: string
let tag: string
let inside: ClusterParticipant
beforeAll(async () => {
  server = await startTestServer()
  const login = { login: 'anna', password: (await server.addUser('anna')).password }
  token = (await server.call('POST', '/api/v1.0/auth/login', { body: login })).body.access_token
  tag = (await server.call('POST', '/api/v1.0/conferences', { token, body: {} })).body.tag
  inside = new ClusterParticipant(server, token, tag)
  await inside.joined(1)
})
afterAll(async () => {
  inside.client.close()
  await server.close()
})

const upload = (bytes: Buffer, more: Partial<UploadOptions> = {}) =>
  uploadFile({
    serverUrl: server.url,
    accessToken: async () => token,
    conference: tag,
    purpose: 'chat_file',
    name: 'Брошюра.pdf',
    bytes: new Blob([new Uint8Array(bytes)]),
    ...more,
  })
const get = (id: string) => server.call('GET', `/api/v1.0/files/${id}`, { token })
const large = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(2 * PIECE)])

describe('the upload of a page', () => {
  it('sends pieces, reports progress, and survives broken connections and lost answers', async () => {
    const progress: number[] = []
    let requests = 0
    const request: typeof fetch = async (...args) => {
      requests++
      if (requests === 2) throw new TypeError('the connection was lost')
      const answer = await fetch(...args)
      if (requests === 5) throw new TypeError('the answer was lost')
      return answer
    }
    const id = await upload(large, { request, onProgress: sent => progress.push(sent) })
    expect((await get(id)).body).toMatchObject({ name: 'Брошюра.pdf', size: large.length, state: 'stored' })
    expect(progress).toEqual([0, PIECE, 2 * PIECE])
  })

  it('gets another token when one is refused', async () => {
    const accessToken = async (refused: boolean) => (refused ? token : `${token}x`)
    expect(await upload(Buffer.from('text'), { accessToken })).toMatch(/^b_/)
  })

  it('says why a file is refused', async () => {
    const slides = upload(large, { purpose: 'slides' })
    await expect(slides).rejects.toMatchObject({ status: 503, code: 'temporarily_unavailable' })
    const program = upload(Buffer.from('\x7fELF\x02\0', 'latin1'))
    await expect(program).rejects.toMatchObject({ status: 415, code: 'unsupported_media_type' })
  })

  it('removes what has arrived when it is cancelled', async () => {
    const cancel = new AbortController()
    let location = ''
    const request: typeof fetch = async (url, init) => {
      if (init?.method === 'PATCH') location = String(url)
      return fetch(url, init)
    }
    const cancelled = upload(large, { request, signal: cancel.signal, onProgress: () => cancel.abort() })
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
    const head = () =>
      server.call('HEAD', location.slice(server.url.length), { token, headers: { 'tus-resumable': '1.0.0' } })
    await expect.poll(async () => (await head()).status).toBe(404)
  })
})
