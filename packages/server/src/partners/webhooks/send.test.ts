import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publicLookup, type Resolve } from '../../platform/delivery/address.ts'
import { hang, type Receiver, startReceiver, status } from '../../platform/delivery/testing/receiver.ts'
import type { Delivery } from '../ports.ts'
import { createSend, type SendSettings } from './send.ts'

const NOW = Date.UTC(2030, 0, 1) + 999
const secret = 'a secret of some length'
const delivery: Delivery = {
  id: 'wh_0123456789abcdef',
  serviceAccount: 'school',
  event: 'transcription.ready',
  subject: 'transcription:1',
  body: '{"id":"wh_0123456789abcdef", "text":"Здравствуйте 😀"}',
  status: 'pending',
  attempts: 0,
  nextAttemptAtMs: 0,
  responseStatus: null,
  error: null,
  createdAt: 0,
  updatedAt: 0,
}

type LookupCallback = (
  host: string,
  options: { all?: boolean },
  done: (error: Error | null, found?: unknown) => void,
) => void

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const send = (
  url = receiver.url,
  settings: Partial<SendSettings> = {},
  signal = new AbortController().signal,
  sent = delivery,
) =>
  createSend({ allowInsecure: true, clock: () => NOW, ...settings })(
    sent,
    { serviceAccount: 'school', url, secret, events: [], enabled: true },
    signal,
  )

/** A server that knows nothing of HTTP. */
async function startRaw(talk: Parameters<typeof createServer>[1]): Promise<{ server: Server; url: string }> {
  const server = createServer(talk)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  return { server, url: `http://127.0.0.1:${typeof address === 'object' && address?.port}/` }
}

describe('an attempt', () => {
  it('is a POST of exactly the stored bytes, with the headers of docs/webhooks.md#signature', async () => {
    receiver.answer = status(204)
    expect(await send(`${receiver.url}?key=1`)).toMatchObject({ is: 'answered', status: 204 })
    const { method, path, headers, body } = receiver.received.at(-1) ?? expect.fail()
    expect({ method, path, body }).toEqual({ method: 'POST', path: '/hook?key=1', body: delivery.body })
    const timestamp = String(Math.floor(NOW / 1000))
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(delivery.body)),
      'x-service-event': 'transcription.ready',
      'x-service-delivery': delivery.id,
      'x-service-timestamp': timestamp,
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.${delivery.body}`).digest('hex')}`,
    })
  })

  it.each([200, 400, 404, 408, 410, 425, 429, 500, 503])('reports the status %i', async code => {
    receiver.answer = status(code)
    expect(await send()).toMatchObject({ is: 'answered', status: code })
  })

  it.each([301, 302, 303, 307, 308])('does not follow %i (RETRY-4)', async code => {
    receiver.received.length = 0
    receiver.answer = status(code, { location: `${receiver.url}/elsewhere` })
    expect(await send()).toMatchObject({ is: 'answered', status: code })
    expect(receiver.received).toHaveLength(1)
  })

  it('reads only the beginning of a response', async () => {
    let written = 0
    receiver.answer = response => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024))) written += 64
      }
      response.on('drain', more)
      more()
    }
    expect(await send()).toMatchObject({ is: 'answered', status: 200 })
    expect(written).toBeLessThan(10 * 1024)
  })

  it('accepts a response whose body is endless or broken', async () => {
    receiver.answer = response => response.writeHead(202).write('never')
    expect(await send(undefined, { timeoutMs: 300 })).toMatchObject({ is: 'answered', status: 202 })
    receiver.answer = response =>
      response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy())
    expect(await send()).toMatchObject({ is: 'answered', status: 200 })
  })

  const length = 'Content-Length: 2\r\n'
  const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
  it.each([
    [
      '20 KiB of headers',
      `HTTP/1.1 503 X\r\nRetry-After: 7\r\n${`A: ${'x'.repeat(998)}\r\n`.repeat(20)}\r\n`,
      503,
      '7',
    ],
    ['endless headers', `HTTP/1.1 200 OK\r\n${`A: ${'x'.repeat(998)}\r\n`.repeat(200)}`, 200],
    ['its length twice', `HTTP/1.1 202 OK\r\n${length}${length}\r\nok`, 202],
    ['a length and chunks', `HTTP/1.1 200 OK\r\n${length}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 200],
    ['a malformed header', 'HTTP/1.1 410 Gone\r\nno colon\r\n\r\n', 410],
    ['a name with a space', 'HTTP/1.0 200 OK\r\nX Y: z\r\n\r\n', 200],
    ['hints, and its length twice', `${early}HTTP/1.1 200 OK\r\n${length}${length}\r\nok`, 200],
  ])('counts the status of a response with %s (RETRY-9)', async (_, text, expected, retryAfter?: string) => {
    const { server, url } = await startRaw(socket => {
      socket
        .on('error', () => {})
        .once('data', () => {
          socket.write(text.slice(0, 20)) // the rest comes in another packet
          setImmediate(() => socket.write(text.slice(20)))
        })
    })
    expect(await send(url)).toMatchObject({
      is: 'answered',
      status: expected,
      ...(retryAfter && { retryAfter }),
    })
    server.close()
  })

  it('times out without a response', async () => {
    receiver.answer = hang
    expect(await send(undefined, { timeoutMs: 300 })).toEqual({ is: 'unreachable', reason: 'TIMEOUT' })
  })

  it('has the time that a slow line needs for a long transcript', async () => {
    receiver.answer = (response, received) => setTimeout(() => status(204)(response, received), 900)
    const long = { ...delivery, body: JSON.stringify({ text: 'x'.repeat(1_000_000) }) }
    expect(await send(undefined, { timeoutMs: 300 }, undefined, long)).toMatchObject({ status: 204 })
    expect(await send(undefined, { timeoutMs: 300 })).toEqual({ is: 'unreachable', reason: 'TIMEOUT' })
  })

  it('is aborted by its signal', async () => {
    receiver.answer = hang
    const signal = AbortSignal.timeout(50)
    expect(await send(undefined, {}, signal)).toEqual({
      is: 'unreachable',
      reason: 'ABORT_ERR',
    })
  })

  it.each([
    ['hangs up', '', 'ECONNRESET'],
    ['does not speak HTTP', 'HELO you\r\n', 'HPE_INVALID_CONSTANT'],
    ['disconnects during the headers', 'HTTP/1.1 200 OK\r\nContent-', 'ECONNRESET'],
    [
      'upgrades to another protocol',
      'HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      'NETWORK_ERROR',
    ],
  ])('fails if the receiver %s', async (_, text, reason) => {
    const { server, url } = await startRaw(socket => {
      socket.once('data', () => socket.end(text)).on('error', () => {})
    })
    expect(await send(url)).toEqual({ is: 'unreachable', reason })
    server.close()
  })

  it('fails when the connection is refused or the name does not resolve', async () => {
    const { server, url } = await startRaw(() => {})
    await new Promise(done => server.close(done))
    expect(await send(url)).toEqual({
      is: 'unreachable',
      reason: expect.stringMatching(/ECONN(REFUSED|RESET)/),
    })
    const outcome = await send('http://name.invalid/')
    expect(outcome).toMatchObject({
      is: 'unreachable',
      reason: expect.stringMatching(/^E(NOTFOUND|AI_AGAIN)$/),
    })
  })
})

describe('the target of an attempt', () => {
  const names: Record<string, string[]> = {
    'private.example': ['127.0.0.1'],
    'mixed.example': ['1.1.1.1', '10.0.0.1'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'six.example': ['::1'],
    'empty.example': [],
  }
  const resolve: Resolve = async host =>
    (names[host] ?? []).map(address => ({ address, family: address.includes(':') ? 6 : 4 }))

  it.each(Object.keys(names))('is checked on connect and rejected: %s', async name => {
    receiver.received.length = 0
    const { port } = new URL(receiver.url)
    const outcome = await send(`https://${name}:${port}/`, { allowInsecure: false, resolve })
    expect(outcome).toEqual({ is: 'unreachable', reason: 'PRIVATE_ADDRESS' })
    expect(receiver.received).toEqual([])
  })

  it('is one of the checked addresses', async () => {
    const found = [
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ]
    const lookup = promisify(publicLookup(async () => found) as LookupCallback)
    expect(await lookup('public.example', { all: true })).toEqual(found)
    expect(await lookup('public.example', {})).toEqual('1.1.1.1')
  })

  it.each(['http://1.1.1.1/', 'https://127.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/'])(
    'is rejected if it is no longer allowed: %s',
    async url => {
      expect(await send(url, { allowInsecure: false })).toEqual({ is: 'forbidden', reason: 'FORBIDDEN_URL' })
    },
  )
})
