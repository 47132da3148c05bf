import type { IncomingMessage, RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { serverTime } from '../time/server-time.ts'
import { readRetryAfter } from './api.ts'
import { serve } from './testing.ts'

let close = async () => {}
afterEach(() => close())

async function request(listener: RequestListener) {
  const server = await serve(listener)
  close = server.close
  return server.api.get('/x')
}

const reply =
  (status: number, body: unknown, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))

describe('Api.get', () => {
  it('returns the body of a successful response', async () => {
    expect(await request(reply(200, { result: 200 }))).toEqual({ is: 'ok', body: { result: 200 } })
  })

  it('notes the time of the server, not that of a network that answers for it', async () => {
    const dayMs = 86_400_000
    const dated = (offMs: number, body: unknown) =>
      request(reply(200, body, { date: new Date(Date.now() + offMs).toUTCString() })).then(close)
    const aheadDays = () => Math.round(serverTime(0) / dayMs)
    await dated(dayMs, {})
    expect(aheadDays()).toBe(1)
    await dated(9 * dayMs, '<h1>Welcome to our hotel</h1>')
    expect(aheadDays()).toBe(1)
    await dated(0, {})
    expect(aheadDays()).toBe(0)
  })

  it('returns the code of an error and the retry delay', async () => {
    const body = { result: 429, code: 'rate_limited', message: 'Too many requests' }
    expect(await request(reply(429, body, { 'retry-after': '7' }))).toEqual({
      is: 'refused',
      status: 429,
      code: 'rate_limited',
      retryAfterMs: 7000,
    })
  })

  it('finds no code in the error page of a proxy', async () => {
    for (const body of ['<h1>Bad gateway</h1>', '', 'null', { code: 7 }, { code: '<b>' }]) {
      expect(await request(reply(502, body))).toMatchObject({ is: 'refused', status: 502, code: null })
      await close()
    }
  })

  it('takes the page of a network that answers for the server for no answer', async () => {
    for (const body of ['<h1>Welcome to our hotel</h1>', '', 'null', '5']) {
      expect(await request(reply(200, body))).toEqual({ is: 'unreachable' })
      await close()
    }
  })

  it('reports a broken connection as unreachable, before and during the response', async () => {
    expect(await request(request => request.socket.destroy())).toEqual({ is: 'unreachable' })
    await close()
    const cut: RequestListener = (request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{', () => request.socket.destroy())
    }
    expect(await request(cut)).toEqual({ is: 'unreachable' })
  })

  it('sends no cookie and no referrer', async () => {
    let headers: IncomingMessage['headers'] = {}
    await request((request, response) => {
      headers = request.headers
      response.end('{}')
    })
    expect(headers).not.toHaveProperty('cookie')
    expect(headers).not.toHaveProperty('referer')
  })
})

describe('readRetryAfter', () => {
  const now = Date.UTC(2026, 8, 1)

  it('parses seconds and dates', () => {
    expect(readRetryAfter('30', now)).toBe(30_000)
    expect(readRetryAfter(new Date(now + 5000).toUTCString(), now)).toBe(5000)
    expect(readRetryAfter(new Date(now - 5000).toUTCString(), now)).toBe(0)
  })

  it('returns null for a missing or malformed header', () => {
    expect(readRetryAfter(null, now)).toBeNull()
    expect(readRetryAfter('soon', now)).toBeNull()
  })
})
