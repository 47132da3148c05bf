import { randomBytes, randomUUID } from 'node:crypto'
import { pollUntil } from '@lectern/common'
import { Refusal } from '@lectern/protocol'
import { connect } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import { Traces } from '../../operations/telemetry/traces.ts'
import { createLog } from '../../platform/log.ts'
import { TraceCollector } from '../../testing/trace-collector.ts'
import { useNetworks } from '../testing/use-networks.ts'
import { addressOf, envelopeOf, introduce, signed, waitFor } from '../testing.ts'
import { checkNats } from './nats-connection.ts'
import { NetworkError } from './network-error.ts'

const answerTo = ({ reply = '' }: { reply?: string }, text: string) =>
  signed(reply.slice('test.'.length), text)

const SOON = { intervalMs: 5, timeoutMs: 100_000 }

describe('the network of a cluster', () => {
  const { networks, nats } = useNetworks()

  it('NET-1 delivers messages to all subscribers in the order of the sender, the own ones included', async () => {
    const [a, b] = await Promise.all([networks.open('a'), networks.open('b')])
    const [atA, atB]: [unknown[], unknown[]] = [[], []]
    a.subscribe('news.*', (message, { from, subject }) => atA.push({ message, from, subject }))
    b.subscribe('news.x', message => atB.push(message))
    await networks.settle()
    const all = Array.from({ length: 50 }, (_, i) => ({ i }))
    for (const message of all) a.publish('news.x', message)
    await waitFor(() => atA.length + atB.length === 100)
    expect(atA).toEqual(all.map(message => ({ message, from: 'a', subject: 'news.x' })))
    expect(atB).toEqual(all)
  })

  it('passes the trace of a request on to the server that answers it, and names no ids', async () => {
    const collector = await TraceCollector.start()
    const tracesOf = (server: string) =>
      new Traces({
        endpoint: collector.url,
        headers: {},
        sampleRatio: 1,
        resource: { 'service.instance.id': server },
        log: createLog('silent'),
      })
    const traces = { a: tracesOf('a'), b: tracesOf('b') }
    const [a, b] = await Promise.all([
      networks.open('a', { tracing: traces.a }),
      networks.open('b', { tracing: traces.b }),
    ])
    b.serve('server.b-4f1d.do.>', async () => 'done')
    await networks.settle()
    await traces.a.run('work', {}, () => a.request('server.b-4f1d.do.end', 'the text of it', 20_000))
    await Promise.all([traces.a.stop(), traces.b.stop()])
    collector.stop()
    const [[work], [request], [answer]] = [
      collector.named('work'),
      collector.named('request server.*.do.end'),
      collector.named('answer server.*.do.end'),
    ]
    expect(request).toMatchObject({ traceId: work?.traceId, parentSpanId: work?.spanId, kind: 3 })
    expect(answer).toMatchObject({ traceId: work?.traceId, parentSpanId: request?.spanId, kind: 2 })
    expect(collector.texts.join()).not.toMatch(/the text of it|4f1d/)
  })

  it('NET-2 answers a request, and fails at once when nobody serves it', async () => {
    const [a, b] = await Promise.all([networks.open('a'), networks.open('b')])
    b.serve('double', async message => (message as number) * 2)
    await networks.settle()
    expect(await a.request('double', 21, 10_000)).toBe(42)
    const failure = await a.request('nobody', 1, 60_000).catch(error => error)
    expect(failure).toMatchObject({ failure: 'no_responder', code: 'temporarily_unavailable' })
  })

  it('NET-3 passes refusals on with code, message and delay, and hides other failures', async () => {
    const lines: string[] = []
    const [a, b] = await Promise.all([networks.open('a'), networks.open('b', { lines })])
    b.serve('refuse', () => {
      throw new Refusal('rate_limited', 'Slowly.', { retryAfterMs: 1_500 })
    })
    b.serve('break', () => {
      throw new Error('secret of b')
    })
    await networks.settle()
    const refused = await a.request('refuse', null, 10_000).catch(error => error)
    expect(refused).toBeInstanceOf(Refusal)
    expect(refused).toMatchObject({ code: 'rate_limited', message: 'Slowly.', retryAfterMs: 1_500 })
    const broken = (await a.request('break', null, 10_000).catch(error => error)) as NetworkError
    expect(broken).toBeInstanceOf(NetworkError)
    expect(broken.failure).toBe('failed')
    expect(JSON.stringify(broken)).not.toContain('secret of b')
    expect(lines.join('')).toContain('a request of another server failed')
  })

  it('NET-4 refuses messages that are newer or malformed, and ignores unknown fields', async () => {
    const lines: string[] = []
    const a = await networks.open('a', { lines })
    const received: unknown[] = []
    a.subscribe('news', message => received.push(message))
    a.serve('ask', () => 'answered')
    await networks.settle()
    const raw = await connect({ servers: nats().url })
    await introduce(raw, 'other', 'a')
    const send = (text: string) => raw.publish('test.news', signed('news', text))
    send('no json')
    send('{"from":"x"}')
    send('null')
    send('{"v":2,"from":"newer","body":"new"}')
    for (const seq of ['"2"', '-1', '1.5']) send(`{"v":1,"from":"x","seq":${seq}}`)
    send('{"v":1,"from":"other","seq":2,"body":"understood","colour":"blue"}')
    await waitFor(() => received.length === 1)
    expect(received).toEqual(['understood'])
    const answer = await raw.request('test.ask', signed('ask', '{"v":2,"from":"newer","body":1}'))
    expect(envelopeOf(answer)).toMatchObject({ v: 1, error: { code: 'unsupported' } })
    expect(lines.filter(line => line.includes('newer_version'))).toHaveLength(1)
    expect(lines.join('')).toContain('a member speaks a newer protocol between servers than this one')
    expect(a.incompatible).toEqual([{ id: 'newer', version: 2 }])
    raw.subscribe('test.future', {
      callback: (_, msg) => void msg.respond(answerTo(msg, '{"v":9,"from":"newer"}')),
    })
    raw.subscribe('test.code', {
      callback: (_, msg) =>
        void msg.respond(answerTo(msg, '{"v":1,"from":"n","error":{"code":"of_the_future"}}')),
    })
    await raw.flush()
    expect(await a.request('future', 1, 10_000).catch(error => error.failure)).toBe('unsupported')
    expect(await a.request('code', 1, 10_000).catch(error => error.failure)).toBe('failed')
    await raw.close()
  })

  it('NET-10 refuses what no member has signed for this subject, and logs it once', async () => {
    const lines: string[] = []
    const a = await networks.open('a', { lines })
    const stranger = await networks.open('stranger-0a1b2c3d', { secret: 'another secret of another cluster' })
    const received: unknown[] = []
    a.subscribe('news', message => received.push(message))
    a.subscribe('other', message => received.push(message))
    a.serve('ask', message => received.push(message))
    await networks.settle([a])
    const raw = await connect({ servers: nats().url })
    await introduce(raw, 'member', 'a')
    const envelope = '{"v":1,"from":"member","seq":2,"body":"forged"}'
    const valid = signed('news', envelope)
    for (const text of [envelope, '', 'x'.repeat(43), `${'A'.repeat(43)}${envelope}`, `${valid} `])
      raw.publish('test.news', text)
    raw.publish('test.other', valid)
    raw.publish('test.ask', signed('ask', envelope).toLowerCase(), { reply: 'test.inbox' })
    stranger.publish('news', 'of a stranger')
    const unanswered = stranger.request('ask', 'by a stranger', 500).catch(error => error.failure)
    expect(await unanswered).toBe('timeout')
    raw.publish('test.news', valid)
    await waitFor(() => received.length > 0)
    expect(received).toEqual(['forged'])
    await waitFor(() => a.strangers.includes('stranger-0a1b2c3d'))
    expect(lines.filter(line => line.includes('somebody else sends messages'))).toHaveLength(1)
    await raw.close()
  })

  it('NET-10 refuses a forged answer', async () => {
    const a = await networks.open('a')
    const raw = await connect({ servers: nats().url })
    const forged = [
      () => '{"v":1,"from":"a","body":"forged"}',
      () => signed('ask.1', '{"v":1,"from":"a","body":"of another request"}'),
    ]
    for (const [i, answer] of forged.entries())
      raw.subscribe(`test.ask.${i}`, { callback: (_, msg) => void msg.respond(answer()) })
    await raw.flush()
    for (const i of forged.keys())
      expect(await a.request(`ask.${i}`, 1, 10_000).catch(error => error.failure)).toBe('failed')
    await raw.close()
  })

  it('NET-5 limits the size of messages', async () => {
    const lines: string[] = []
    const a = await networks.open('a', { lines })
    const received: unknown[] = []
    a.subscribe('news', message => received.push(message))
    const random = randomBytes(2_000_000).toString('hex') // cannot be compressed enough
    a.serve('much', () => random)
    await networks.settle()
    a.publish('news', random)
    a.publish('news', 'small')
    await waitFor(() => received.length === 1)
    expect(lines.join('')).toContain('too large')
    const large = a.request('much', random, 10_000)
    expect(await large.catch(error => error.failure)).toBe('too_large')
    expect(await a.request('much', 1, 10_000).catch(error => error)).toBeInstanceOf(NetworkError)
  })

  it('NET-5 compresses what is larger: the state of a room with 1,500 publications', async () => {
    const [a, b] = await Promise.all([networks.open('a'), networks.open('b')])
    const state = Array.from({ length: 1_500 }, (_, i) => ({
      publicationId: randomUUID(),
      ...{ routerId: randomUUID(), producerId: randomUUID(), mimeType: 'video/VP8' },
      encodings: [1, 2, 3].map(n => ({ rid: `r${n}`, ssrc: 3 * i + n, rtx: { ssrc: 9_000 + 3 * i + n } })),
      extensions: 'x'.repeat(500),
    }))
    const received: unknown[] = []
    b.subscribe('news', message => received.push(message))
    b.serve('state', asked => ({ asked, state }))
    await networks.settle()
    a.publish('news', state)
    expect(await a.request('state', state, 10_000)).toEqual({ asked: state, state })
    await waitFor(() => received.length === 1)
    expect(received).toEqual([state])
  })

  it('NET-6 reconnects after kill -9 of NATS with all its subscriptions, and refuses requests meanwhile', async () => {
    const [a, b] = await Promise.all([networks.open('a'), networks.open('b')])
    const received: unknown[] = []
    b.subscribe('news', message => received.push(message))
    b.serve('ask', () => 'answered')
    await networks.settle()
    let reconnects = 0
    a.onReconnect(() => reconnects++)
    await nats().kill()
    await waitFor(() => !a.isConnected && !b.isConnected)
    a.publish('news', 'lost')
    expect(await a.request('ask', 1, 60_000).catch(error => error.failure)).toBe('disconnected')
    await nats().restart()
    await waitFor(() => a.isConnected && b.isConnected)
    expect(await pollUntil(() => a.request('ask', 1, 1_000).catch(() => null), SOON)).toBe('answered')
    a.publish('news', 'arrives')
    await waitFor(() => received.length > 0)
    expect(received).toEqual(['arrives'])
    expect(reconnects).toBe(1)
  })

  it('NET-7 keeps a subscription until it is ended, and survives a handler that throws', async () => {
    const lines: string[] = []
    const a = await networks.open('a', { lines })
    const received: unknown[] = []
    const end = a.subscribe('news', message => {
      received.push(message)
      throw new Error('handler')
    })
    await networks.settle()
    a.publish('news', 1)
    a.publish('news', 2)
    await waitFor(() => received.length === 2)
    end()
    a.publish('news', 3)
    a.serve('ask', () => 'answered')
    await networks.settle()
    expect(await a.request('ask', 1, 10_000)).toBe('answered')
    expect(received).toEqual([1, 2])
    expect(lines.join('')).toContain('a message of another server failed')
  })

  it('NET-8 starts without NATS and connects when it is available', async () => {
    await nats().kill()
    const a = await networks.open('a', { waitMs: 50 })
    expect(a.isConnected).toBe(false)
    await nats().restart()
    await waitFor(() => a.isConnected)
  })

  it('NET-9 keeps installations with other namespaces apart', async () => {
    const [a, b] = await Promise.all([networks.open('a'), networks.open('b', { namespace: 'other' })])
    b.serve('ask', () => 'other installation')
    await Promise.all([networks.settle([a]), networks.settle([b])])
    expect(await a.request('ask', 1, 10_000).catch(error => error.failure)).toBe('no_responder')
  })

  it('uses the next of several NATS servers when one is unavailable', async () => {
    const log = createLog('silent')
    const a = await networks.open('a', {
      addresses: [addressOf('nats://127.0.0.1:1'), addressOf(nats().url)],
      log,
    })
    await waitFor(() => a.isConnected)
  })

  it('reports why a NATS server cannot be used', async () => {
    expect(await checkNats(addressOf(nats().url), '')).toBeNull()
    const unused = addressOf('nats://127.0.0.1:9')
    expect(await checkNats(unused, '')).toBe('nats://127.0.0.1:9 connection refused')
  })
})
