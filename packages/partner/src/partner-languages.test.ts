import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { answer, reset, resetInBody, ScriptedServer } from './scripted-server.ts'

const clients = fileURLToPath(new URL('../../../clients', import.meta.url))

/** Fails with the output of the program if its exit code is not 0. */
async function run(folder: string, program: string, args: string[]): Promise<string> {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: `${clients}/${folder}`, env })
  return stdout + stderr
}

const servers: ScriptedServer[] = []
const open = async () => {
  const server = await ScriptedServer.open()
  servers.push(server)
  return server
}
afterEach(() => Promise.all(servers.splice(0).map(server => server.close())))

describe('the client for Python', () => {
  it('passes its tests: the shared vectors, requests, retries, tokens, redirects', async () => {
    const output = await run('python', 'python3', ['-m', 'unittest', 'discover', '-s', 'tests'])
    expect(output).toMatch(/Ran \d+ tests[\s\S]*\nOK/)
  })
})

const {
  calls,
}: {
  calls: { version: number; request: string; body?: object; content?: string }[]
} = JSON.parse(readFileSync(`${clients}/vectors/requests.json`, 'utf8'))

describe('the client for PHP', () => {
  it('sends the requests that the clients of all languages share', async () => {
    const server = await open()
    for (const _ of calls) server.play(answer(503), answer(200))
    const page = (ids: string[], next: number | null, last: number) =>
      answer(200, { events: ids.map(id => ({ id })), next, last })
    server.play(answer(200), page(['evt_1', 'evt_2'], 9, 9), page(['evt_3'], null, 11))
    expect(await run('php', 'php', ['tests/run.php', server.url, 'vectors'])).toMatch(/^\d+ tests passed\n$/)
    for (const [i, { version, request, body, content }] of calls.entries()) {
      const [first, second] = server.seen.slice(2 * i)
      expect(`${second?.method} ${second?.url}`).toBe(request)
      if (body) expect(JSON.parse(second?.body ?? '')).toEqual(body)
      if (content !== undefined) expect(second?.body).toBe(content)
      const key = first?.headers['idempotency-key']
      expect(second?.headers['idempotency-key']).toBe(key)
      expect(key !== undefined).toBe(version === 2 && request.startsWith('POST'))
    }
    const [message, ...events] = server.seen.slice(2 * calls.length)
    expect(message?.headers['idempotency-key']).toBe('mine')
    expect(events.map(({ url }) => url.split('?')[1])).toEqual(['after=7&limit=2', 'after=9&limit=2'])
  })

  it('passes its tests: the shared vectors, requests, retries, tokens, redirects', async () => {
    const server = await open()
    const other = await open()
    const expired = answer(401, { result: 401, code: 'token_expired', message: 'Expired.' })
    const broken = answer(200, { ok: false, error: 'index is locked', recordings: [] })
    server.play(answer(503), reset, answer(200)) // one call
    server.play(answer(404, { result: 404, code: 'room_not_found', message: 'No room.' }))
    server.play(
      answer(429, { result: 429, code: 'rate_limited', message: 'Slow.' }, { 'retry-after': '120' }),
    )
    server.play(expired, answer(200)) // one call
    server.play(expired, expired) // one call
    server.play(broken, broken, broken) // one call
    server.play(answer(206, 'llo'))
    server.play(answer(302, '', { location: `${other.url}/file` }))
    server.play(answer(200, '<html>'))
    server.play(reset, reset, reset) // one call
    server.play(resetInBody, resetInBody, resetInBody) // one call
    server.play(...Array.from({ length: 9 }, () => answer(200))) // the tools for webhooks and lists, below
    server.play(
      answer(404, { result: 404, code: 'room_not_found', message: 'No.' }, { 'x-request-id': 'r-1' }),
    )

    expect(await run('php', 'php', ['tests/run.php', server.url, other.url])).toMatch(/^\d+ tests passed\n$/)
    const [first] = server.seen
    expect(first?.url).toBe('/api/v1/integration/rooms/a%2Fb%20%C3%BC')
    expect(server.bearers.slice(5, 9)).toEqual(['token-1', 'token-2', 'token-2', 'token-3'])
    expect(server.seen.find(({ method }) => method === 'PATCH')).toMatchObject({ body: '{"title":"Ω"}' })
    expect(server.seen.find(({ url }) => url === '/api/storage/blobs/b%201')?.headers.range).toBe('bytes=2-')
    expect(other.bearers).toEqual([undefined])
    const api = '/api/v1/integration'
    expect(server.seen.slice(-10, -1).map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${api}/rooms`,
      `GET ${api}/rooms?status=closed&teacher=teacher%3A7&search=a%20b%26%C3%BC&limit=5&before=p1`,
      `DELETE ${api}/webhook`,
      `POST ${api}/webhook/test`,
      `POST ${api}/webhook/rotate`,
      `POST ${api}/webhook/rotate/finish`,
      `GET ${api}/webhook/deliveries?status=failed&limit=1`,
      `GET ${api}/webhook/deliveries/wh_1`,
      `POST ${api}/webhook/deliveries/wh_1/replay`,
    ])
    const rotation = server.seen.find(({ url }) => url?.endsWith('/rotate'))
    expect(JSON.parse(rotation?.body ?? '')).toEqual({
      secret: 'the-next-secret-of-all',
      overlap_seconds: 60,
    })
  })
})
