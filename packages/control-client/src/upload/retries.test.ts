import { afterEach, expect, it, vi } from 'vitest'
import { uploadFile } from './index.ts'

afterEach(() => vi.useRealTimers())

it('repeats a piece that fails again and again ever less often', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const cancel = new AbortController()
  let pieces = 0
  const begun = Promise.withResolvers<void>()
  const request: typeof fetch = async (_, init) => {
    if (init?.method === 'POST') return new Response(null, { status: 201, headers: { location: '/b_1' } })
    if (init?.method === 'HEAD') return new Response(null, { headers: { 'upload-offset': '0' } })
    if (init?.method === 'PATCH') pieces++
    begun.resolve()
    return new Response(null, { status: 503 })
  }
  const upload = uploadFile({
    ...{ serverUrl: '', conference: 'k7mq', purpose: 'chat_file', name: 'notes.txt' },
    ...{ bytes: new Blob(['x = 3']), accessToken: async () => 'token', request, signal: cancel.signal },
  })
  const ended = expect(upload).rejects.toMatchObject({ name: 'AbortError' })
  await begun.promise
  await vi.advanceTimersByTimeAsync(60_000)
  expect(pieces).toBeGreaterThan(3)
  expect(pieces).toBeLessThan(20)
  cancel.abort()
  await ended
})

it('begins once the server can be reached again, unless it is refused', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const refusal = Response.json(
    { code: 'temporarily_unavailable', message: 'No converter.' },
    { status: 503 },
  )
  const answers = [null, new Response('Bad Gateway', { status: 502 }), refusal]
  const request: typeof fetch = async () => {
    const answer = answers.shift()
    if (!answer) throw new TypeError('fetch failed')
    return answer
  }
  const upload = uploadFile({
    ...{ serverUrl: '', conference: 'k7mq', purpose: 'slides', name: 'a.pdf' },
    ...{ bytes: new Blob(['x']), accessToken: async () => 'token', request },
  })
  const ended = expect(upload).rejects.toMatchObject({ name: 'UploadRefused', message: 'No converter.' })
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(15_000)
    expect(answers).toEqual([])
  })
  await ended
})

it('asks again after a conflict of offsets, and ends when there is no space any more', async () => {
  const codes = ['upload_conflict', 'file_quota_exceeded']
  const asked: string[] = []
  const request: typeof fetch = async (_, { method = '' } = {}) => {
    asked.push(method)
    if (method === 'POST') return new Response(null, { status: 201, headers: { location: '/b_1' } })
    if (method === 'HEAD') return new Response(null, { headers: { 'upload-offset': '0' } })
    return Response.json({ code: codes.shift(), message: 'No.' }, { status: 409 })
  }
  const upload = uploadFile({
    ...{ serverUrl: '', conference: 'k7mq', purpose: 'chat_file', name: 'notes.txt' },
    ...{ bytes: new Blob(['x = 3']), accessToken: async () => 'token', request },
  })
  await expect(upload).rejects.toMatchObject({ name: 'UploadRefused', code: 'file_quota_exceeded' })
  expect(asked).toEqual(['POST', 'PATCH', 'HEAD', 'PATCH'])
})
