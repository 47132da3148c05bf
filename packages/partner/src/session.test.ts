import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type LecternError, PartnerClient, type PartnerClientOptions, RETRY_DELAYS_MS } from './index.ts'
import { answer, reset, resetInBody, ScriptedServer, type Step, silence } from './scripted-server.ts'

let server: ScriptedServer
beforeEach(async () => {
  server = await ScriptedServer.open()
})
afterEach(() => server.close())

const connect = (options: Partial<PartnerClientOptions> = {}) =>
  new PartnerClient({
    baseUrl: server.url,
    serviceAccount: 'school',
    clientSecret: 'a-very-secret-secret',
    retryDelaysMs: [10, 20, 30],
    ...options,
  })

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call succeeded'),
    (error: LecternError) => error,
  )

const unauthenticated = answer(401, { result: 401, code: 'unauthenticated', message: 'Who are you?' })

describe('the token', () => {
  it('is requested once with the account, and used for every call', async () => {
    const client = connect()
    await client.getRoom('a')
    await client.getRoom('b')
    expect(server.tokenRequests.map(({ method, body }) => [method, JSON.parse(body)])).toEqual([
      ['POST', { service_account: 'school', client_secret: 'a-very-secret-secret' }],
    ])
    expect(server.bearers).toEqual(['token-1', 'token-1'])
  })

  it('is requested once by concurrent calls', async () => {
    const client = connect()
    await Promise.all(Array.from({ length: 20 }, (_, i) => client.getRoom(`room-${i}`)))
    expect(server.tokenRequests).toHaveLength(1)
    expect(server.seen).toHaveLength(20)
  })

  it('is renewed a minute before it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const client = connect()
      await client.getRoom('a')
      vi.advanceTimersByTime(604_800_000 - 61_000)
      await client.getRoom('b')
      vi.advanceTimersByTime(2_000)
      await client.getRoom('c')
      expect(server.bearers).toEqual(['token-1', 'token-1', 'token-2'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('is also used if it is valid for less than a minute', async () => {
    server.playTokens(server.goodToken(5))
    const client = connect()
    await client.getRoom('a')
    await client.getRoom('b')
    expect(server.bearers).toEqual(['token-1', 'token-1'])
  })

  it('is renewed once after a 401, and the request is retried once', async () => {
    const client = connect()
    server.play(unauthenticated, answer(200, { result: 200, tag: 'quiet-river' }))
    expect(await client.createRoom('a', { title: 'Algebra' })).toMatchObject({ tag: 'quiet-river' })
    expect(server.bearers).toEqual(['token-1', 'token-2'])
    expect(server.seen.map(({ body }) => body)).toEqual(Array(2).fill('{"title":"Algebra"}'))
  })

  it('is not renewed again if the new one is rejected too', async () => {
    server.play(unauthenticated, unauthenticated)
    const error = await failureOf(connect().getRoom('a'))
    expect(error).toMatchObject({ status: 401, code: 'unauthenticated', retryable: false })
    expect(server.seen).toHaveLength(2)
    expect(server.tokenRequests).toHaveLength(2)
  })

  it('is renewed only once for all attempts of a call', async () => {
    server.play(unauthenticated, answer(503), unauthenticated)
    expect(await failureOf(connect().getRoom('a'))).toMatchObject({ status: 401 })
    expect(server.tokenRequests).toHaveLength(2)
  })

  it('is renewed once for concurrent calls that it fails', async () => {
    const client = connect()
    await client.getRoom('warm-up')
    const expired: Step = (response, request) => {
      const step = request.headers.authorization === 'Bearer token-1' ? unauthenticated : answer(200)
      step(response, request)
    }
    server.play(...Array<Step>(20).fill(expired))
    await Promise.all(Array.from({ length: 10 }, (_, i) => client.getRoom(`room-${i}`)))
    expect(server.tokenRequests).toHaveLength(2)
    expect(server.bearers.filter(token => token === 'token-2')).toHaveLength(10)
  })

  it('is not requested again if the account is rejected', async () => {
    server.playTokens(answer(401, { result: 401, code: 'invalid_credentials', message: 'Wrong.' }))
    expect(await failureOf(connect().getRoom('a'))).toMatchObject({ code: 'invalid_credentials' })
    expect(server.tokenRequests).toHaveLength(1)
    expect(server.seen).toEqual([])
  })

  it('is requested again after server failures, like any call', async () => {
    server.playTokens(reset, answer(503), answer(500))
    await connect().getRoom('a')
    expect(server.tokenRequests).toHaveLength(4)
    server.playTokens(...Array<Step>(9).fill(answer(503)))
    expect(await failureOf(connect().getRoom('a'))).toMatchObject({ status: 503, retryable: true })
    expect(server.tokenRequests).toHaveLength(8)
  })

  it('can be discarded', async () => {
    const client = connect()
    await client.getRoom('a')
    client.forgetToken()
    await client.getRoom('b')
    expect(server.bearers).toEqual(['token-1', 'token-2'])
  })
})

describe('a call', () => {
  const passing: Record<string, Step> = {
    'a reset connection': reset,
    'a connection reset inside the body': resetInBody,
    'status 500': answer(500),
    'status 502 from a proxy': answer(502, '<html>Bad gateway</html>'),
    'status 503': answer(503, { result: 503, code: 'temporarily_unavailable', message: 'Later.' }),
    'status 429': answer(429, { result: 429, code: 'rate_limited', message: 'Slower.' }),
  }
  for (const [name, step] of Object.entries(passing)) {
    it(`is retried after ${name}`, async () => {
      server.play(step, step, step, answer(200, { result: 200, tag: 'quiet-river' }))
      expect(await connect().createRoom('a')).toMatchObject({ tag: 'quiet-river' })
      expect(server.seen).toHaveLength(4)
    })
  }

  it('is retried after a timeout', async () => {
    const client = connect()
    await client.getRoom('warm-up')
    server.play(silence, answer(200, { result: 200, tag: 'quiet-river' }))
    expect(await client.createRoom('a', {}, { timeoutMs: 1_000 })).toMatchObject({ tag: 'quiet-river' })
    expect(server.seen).toHaveLength(3)
  })

  for (const status of [400, 403, 404, 405, 408, 409, 413, 415]) {
    it(`is not retried after status ${status}`, async () => {
      server.play(answer(status, { result: status, code: 'some_code', message: 'Because.' }))
      const error = await failureOf(connect().closeRoom('a'))
      expect(error).toMatchObject({ status, code: 'some_code', message: 'Because.', retryable: false })
      expect(server.seen).toHaveLength(1)
    })
  }

  it('for a text is retried and limited in time until the text is complete', async () => {
    const client = connect()
    const stalled: Step = response => {
      response.writeHead(200, { 'content-type': 'text/vtt' })
      response.write('WEBVTT')
    }
    await client.getRoom('warm-up')
    server.play(resetInBody, stalled, answer(200, 'WEBVTT\n'))
    expect(await client.v2.getTranscriptAsWebVtt('a', { timeoutMs: 1_000 })).toBe('WEBVTT\n')
    server.play(resetInBody, resetInBody, resetInBody, resetInBody)
    expect(await failureOf(client.v2.getTranscriptAsText('a'))).toMatchObject({ code: 'network_error' })
  })

  it('throws the last failure after all attempts', async () => {
    server.play(reset, reset, reset, answer(503, 'busy'))
    const error = await failureOf(connect().getRoom('a'))
    expect(error).toMatchObject({ name: 'LecternError', status: 503, code: 'http_503', retryable: true })
    expect(server.seen).toHaveLength(4)
  })

  it('reports a network failure with its cause', async () => {
    const gone = await ScriptedServer.open()
    const { url } = gone
    await gone.close()
    const error = await failureOf(connect({ baseUrl: url, retryDelaysMs: [] }).getRoom('a'))
    expect(error).toMatchObject({ code: 'network_error', status: null, retryable: true })
    expect((error.cause as Error).cause).toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('reports a timeout', async () => {
    server.play(silence)
    const error = await failureOf(
      connect({ retryDelaysMs: [], timeoutMs: 5_000 }).getRoom('a', { timeoutMs: 50 }),
    )
    expect(error).toMatchObject({ code: 'timeout', status: null, retryable: true })
  })

  it('throws without a retry if the response is not a JSON object', async () => {
    for (const body of ['<html>', '', '[]', 'null', '7']) {
      server.play(answer(200, body))
      expect(await failureOf(connect().getRoom('a')), body).toMatchObject({ code: 'bad_answer', status: 200 })
    }
    expect(server.seen).toHaveLength(5)
  })

  it('does not follow a redirect', async () => {
    server.play(answer(307, '', { location: 'http://127.0.0.1:9/' }))
    expect(await failureOf(connect().getRoom('a'))).toMatchObject({ code: 'redirected', retryable: false })
  })
})

describe('the delays', () => {
  it('are 1, 3 and 10 seconds by default', async () => {
    expect(RETRY_DELAYS_MS).toEqual([1_000, 3_000, 10_000])
    vi.useFakeTimers()
    try {
      const start = Date.now()
      const attempts: number[] = []
      const fetch = async () => {
        attempts.push(Date.now() - start)
        throw new TypeError('fetch failed')
      }
      const failed = failureOf(connect({ fetch, retryDelaysMs: undefined }).getRoom('a'))
      await vi.runAllTimersAsync()
      expect(await failed).toMatchObject({ code: 'network_error' })
      expect(attempts).toEqual([0, 1_000, 4_000, 14_000])
    } finally {
      vi.useRealTimers()
    }
  })

  it('can be configured', async () => {
    server.play(answer(500), answer(500))
    await connect({ retryDelaysMs: [60, 120] }).getRoom('a')
    const [first = 0, second = 0, third = 0] = server.seen.map(({ at }) => at)
    expect(second - first).toBeGreaterThanOrEqual(55)
    expect(third - second).toBeGreaterThanOrEqual(115)
  })

  it('of the caller may exceed a minute', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const start = Date.now()
    const attempts: number[] = []
    const fetch = async () => {
      attempts.push(Date.now() - start)
      throw new TypeError('fetch failed')
    }
    const failed = failureOf(connect({ fetch, retryDelaysMs: [120_000] }).getRoom('a'))
    await vi.runAllTimersAsync()
    expect(await failed).toMatchObject({ code: 'network_error' })
    expect(attempts).toEqual([0, 120_000])
  })

  it('respect Retry-After', async () => {
    server.play(answer(429, {}, { 'retry-after': '1' }))
    await connect({ retryDelaysMs: [1] }).getRoom('a')
    const [first = 0, second = 0] = server.seen.map(({ at }) => at)
    expect(second - first).toBeGreaterThanOrEqual(990)
  })

  it('are skipped if Retry-After exceeds a minute, which is reported to the caller', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString()
    server.play(answer(429, {}, { 'retry-after': '300' }), answer(503, {}, { 'retry-after': date }))
    expect(await failureOf(connect().getRoom('a'))).toMatchObject({ retryable: true, retryAfterMs: 300_000 })
    const { retryAfterMs } = await failureOf(connect().getRoom('a'))
    expect(retryAfterMs).toBeGreaterThan(3_590_000)
    expect(server.seen).toHaveLength(2)
  })
})

describe('the signal', () => {
  const stopped = new Error('stopped')

  it('aborts a call before it starts', async () => {
    const signal = AbortSignal.abort(stopped)
    expect(await failureOf(connect().getRoom('a', { signal }))).toBe(stopped)
    expect(server.tokenRequests).toEqual([])
  })

  it('aborts a running request', async () => {
    const controller = new AbortController()
    server.play(() => controller.abort(stopped))
    expect(await failureOf(connect().getRoom('a', { signal: controller.signal }))).toBe(stopped)
    expect(server.seen).toHaveLength(1)
  })

  it('aborts a delay between attempts', async () => {
    const controller = new AbortController()
    server.play(answer(503))
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const call = failureOf(connect({ retryDelaysMs: [59_123] }).getRoom('a', { signal: controller.signal }))
    await expect.poll(() => timers).toHaveBeenCalledWith(expect.any(Function), 59_123)
    controller.abort(stopped)
    timers.mockRestore()
    expect(await call).toBe(stopped)
  })

  it('of one call does not abort the shared token request', async () => {
    const controller = new AbortController()
    let release = () => {}
    server.playTokens((response, request) => {
      release = () => server.goodToken()(response, request)
      controller.abort(stopped)
    })
    const client = connect()
    const given = failureOf(client.getRoom('a', { signal: controller.signal }))
    const kept = client.getRoom('b')
    expect(await given).toBe(stopped)
    release()
    await kept
    expect(server.seen.map(({ url }) => url)).toEqual(['/api/v1/integration/rooms/b'])
    expect(server.tokenRequests).toHaveLength(1)
  })

  it('aborts a download while its body is read, unlike the timeout', async () => {
    const controller = new AbortController()
    server.play(response => {
      response.writeHead(200)
      response.write('first')
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const response = await connect().downloadBlob('b1', { signal: controller.signal, timeoutMs: 1_000 })
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first')
    const next = reader?.read() ?? Promise.reject()
    const settled = vi.fn()
    next.then(settled, settled)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(settled).not.toHaveBeenCalled()
    controller.abort(stopped)
    await expect(next).rejects.toBe(stopped)
  })
})
