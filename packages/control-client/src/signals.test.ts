import { describe, expect, it } from 'vitest'
import { SESSION } from './testing/model.ts'
import { createTestHarness } from './testing/test-harness.ts'

const outgoing = { streamId: SESSION, sourceId: 'p1', name: 'chat.typing', body: {}, ttlMs: 1_000 } as const
const incoming = (seq: number, source = 'p2', ttl = 1_000) => ({
  stream_id: SESSION,
  stream_epoch: '1',
  source_id: source,
  signal_seq: `${seq}`,
  ttl_ms: ttl,
  name: 'chat.typing',
  body: { seq },
})

async function joined() {
  const harness = createTestHarness()
  await harness.connect()
  await harness.join()
  const received: unknown[] = []
  harness.client.onSignal(({ sourceId, body }) => received.push(`${sourceId} ${body.seq}`))
  return { ...harness, received }
}

describe('signals', () => {
  it('C14 receives the newest signal of each source and name, in order and once', async () => {
    const { server, flush, received } = await joined()
    for (const signal of [
      incoming(1),
      incoming(3),
      incoming(2),
      incoming(3),
      incoming(1, 'p3'),
      incoming(10),
    ])
      server.push('control_signal', signal)
    await flush()
    expect(received).toEqual(['p2 1', 'p2 3', 'p3 1', 'p2 10'])
  })

  it('C14 drops a signal of another epoch', async () => {
    const { server, flush, received } = await joined()
    server.push('control_signal', { ...incoming(1), stream_epoch: '7' })
    await flush()
    expect(received).toEqual([])
  })

  it('C14 holds a signal until its stream has a state or the signal expires', async () => {
    for (const [wait, expected] of [
      [500, ['p2 1']],
      [1_500, []],
    ] as const) {
      const { client, server, clock, flush, connect } = createTestHarness()
      const received: unknown[] = []
      client.onSignal(({ sourceId, body }) => received.push(`${sourceId} ${body.seq}`))
      await connect()
      server.push('control_signal', incoming(1))
      await flush()
      await clock.advance(wait)
      const joining = client.command('conference.join', { kind: 'conference', id: 'k' }, {})
      await flush()
      await joining
      expect(received).toEqual(expected)
    }
  })

  it('C14 numbers its signals, and sends unexpired ones after a reconnect', async () => {
    const { client, network, clock, recover, flush } = await joined()
    client.sendSignal(outgoing)
    expect(network.last.toServer.map(text => JSON.parse(text).control_signal)).toMatchObject([
      { signal_seq: '1', stream_epoch: '1', ttl_ms: 1_000 },
    ])
    network.up = false
    network.last.drop()
    client.sendSignal({ ...outgoing, ttlMs: 30_000 })
    client.sendSignal({ ...outgoing, sourceId: 'p9' })
    await clock.advance(5_000)
    network.up = true
    const sent: { signal_seq: string; ttl_ms: number }[] = []
    const accept = network.accept
    network.accept = socket => {
      const server = accept(socket)
      return {
        ...server,
        received(text) {
          const { control_signal } = JSON.parse(text)
          if (control_signal) sent.push(control_signal)
          server.received(text)
        },
      }
    }
    await recover()
    await flush()
    expect(sent).toMatchObject([{ signal_seq: '2' }])
    expect(sent[0]?.ttl_ms).toBeLessThanOrEqual(25_000)
  })
})

describe('media', () => {
  const route = (generation: string, publicationId = 'pub') => ({
    conference_session_id: '1',
    participant_instance_id: 'p',
    publication_id: publicationId,
    endpoint_id: 'e',
    negotiation_id: 'n',
    rtc_node_id: 'r',
    route_generation: generation,
    scope: 'audio' as const,
  })

  it('C15 drops messages of an outdated route', async () => {
    const { client, server, flush } = await joined()
    const received: string[] = []
    client.onMedia(({ media }) => received.push(media.route_generation))
    for (const generation of ['9', '10', '9', '10', '11'])
      server.push('control_media', { media: route(generation), name: 'webrtc_offer', body: {} })
    await flush()
    expect(received).toEqual(['9', '10', '10', '11'])
  })

  it('C15 remembers the routes of the newest thousand publications', async () => {
    const { client, server, flush } = await joined()
    const received: string[] = []
    client.onMedia(({ media }) => received.push(`${media.publication_id} ${media.route_generation}`))
    const offer = (publication: string, generation: string) =>
      server.push('control_media', { media: route(generation, publication), name: 'webrtc_offer', body: {} })
    offer('forgotten', '2')
    offer('known', '2')
    for (let i = 0; i < 999; i++) offer(`pub-${i}`, '1')
    offer('known', '1')
    offer('forgotten', '1')
    await flush()
    expect(received).toHaveLength(1_002)
    expect(received.at(-1)).toBe('forgotten 1')
  })

  it('C15 sends only while the connection is ready', async () => {
    const { client, network } = await joined()
    expect(client.sendMedia(route('1'), 'webrtc_answer', {})).toBe(true)
    expect(JSON.parse(network.last.toServer[0] ?? '')).toMatchObject({
      control_media: { binding: { binding_generation: '1' }, name: 'webrtc_answer' },
    })
    network.last.drop()
    expect(client.sendMedia(route('1'), 'webrtc_answer', {})).toBe(false)
  })

  it('C30 can be sent as soon as the state is ready', async () => {
    const { client, network, recover } = await joined()
    const sent: boolean[] = []
    client.state.subscribe(() => {
      if (client.state.get().is === 'ready') sent.push(client.sendMedia(route('1'), 'webrtc_offer', {}))
    })
    network.last.drop()
    await recover()
    expect(sent).toEqual([true])
  })
})
