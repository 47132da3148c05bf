import { seededRandom } from '@lectern/common/testing'
import { describe, expect, it } from 'vitest'
import { BACKOFF_CAP_MS, reconnectDelayMs } from './backoff.ts'
import { ACCOUNT } from './testing/model.ts'
import { createTestHarness } from './testing/test-harness.ts'

describe('connection', () => {
  it('C16 backs off with full jitter below doubling bounds up to the cap, without delay the first time', () => {
    const random = seededRandom(7)
    expect(reconnectDelayMs(0, random)).toBe(0)
    for (let attempt = 1; attempt < 200; attempt++) {
      const most = Math.min(BACKOFF_CAP_MS, 250 * 2 ** (attempt - 1))
      for (let i = 0; i < 20; i++) {
        const delay = reconnectDelayMs(attempt, random)
        expect(delay).toBeGreaterThanOrEqual(0)
        expect(delay).toBeLessThan(most)
      }
    }
  })

  it('C16 keeps retrying, immediately the first time', async () => {
    const { client, clock, connect, network, flush, recover } = createTestHarness()
    await connect()
    network.up = false
    network.last.drop()
    expect(client.state.get()).toMatchObject({ is: 'waiting', attempt: 1, until: clock.now() })
    await flush()
    expect(network.sockets).toHaveLength(2)
    expect(client.state.get()).toMatchObject({ is: 'waiting', attempt: 2, reason: 'connection_lost' })
    for (let i = 0; i < 30; i++) {
      const before = network.sockets.length
      await clock.advance(BACKOFF_CAP_MS)
      await flush()
      expect(network.sockets.length).toBeGreaterThan(before)
    }
    network.up = true
    await recover()
    expect(client.state.get()).toMatchObject({ is: 'ready' })
  })

  it('C16 respects backoffCapMs', async () => {
    const { client, clock, connect, network, flush } = createTestHarness({ backoffCapMs: 4_000 })
    await connect()
    network.up = false
    network.last.drop()
    await flush()
    for (let i = 0; i < 30; i++) {
      const state = client.state.get()
      if (state.is !== 'waiting') throw new Error(state.is)
      expect(state.until - clock.now()).toBeLessThan(4_000)
      await clock.advance(4_000)
      await flush()
    }
  })

  it('C17 backs off longer after a connection that was ready only briefly', async () => {
    const { client, clock, connect, network, recover } = createTestHarness()
    await connect()
    for (let i = 1; i < 5; i++) {
      network.last.drop()
      expect(client.state.get()).toMatchObject({ is: 'waiting', attempt: i })
      await recover()
    }
    await clock.advance(10_000)
    network.last.drop()
    expect(client.state.get()).toMatchObject({ is: 'waiting', attempt: 1 })
  })

  it('C18 reconnects immediately when the network is back', async () => {
    const { client, connect, network, flush } = createTestHarness()
    await connect()
    network.up = false
    network.last.drop()
    await flush()
    network.up = true
    client.online()
    await flush()
    expect(client.state.get()).toMatchObject({ is: 'ready' })
  })

  it('C18 probes the connection after a wake-up', async () => {
    const { client, clock, connect, flush, network, server, recover } = createTestHarness()
    await connect()
    client.wake()
    await flush()
    expect(server.syncs.at(-1)).toMatchObject({ mode: 'resync' })
    client.wake()
    await clock.advance(server.limits.sync_timeout_ms)
    expect(network.sockets).toHaveLength(2)
    await recover()
    expect(client.state.get()).toMatchObject({ is: 'ready' })
  })

  it('C19 requests another token when one has expired, and ends when that is refused too', async () => {
    const { client, connect, recover, tokenRefusals, server, network, setToken, flush } = createTestHarness()
    await connect()
    server.refusals.set('token-1', 'token_expired')
    network.last.close(4401, 'token_expired')
    setToken('token-2')
    await recover()
    expect(tokenRefusals).toEqual([undefined, 'token_expired'])
    expect(server.logins.at(-1)).toMatchObject({ access_token: 'token-2' })
    server.refusals.set('token-2', 'token_expired')
    network.last.drop()
    await recover()
    await flush()
    expect(tokenRefusals).toEqual([undefined, 'token_expired', undefined, 'token_expired'])
    expect(client.state.get()).toEqual({ is: 'ended', reason: { is: 'signed-out', code: 'token_expired' } })
  })

  it('C19 ends when there is no token, and retries when it cannot be fetched', async () => {
    const signedOut = createTestHarness({ accessToken: async () => null })
    await signedOut.connect()
    expect(signedOut.client.state.get()).toMatchObject({ is: 'ended', reason: { is: 'signed-out' } })

    let attempts = 0
    const unlucky = createTestHarness({
      accessToken: async () => {
        if (attempts++ < 3) throw new Error('offline')
        return 'token'
      },
    })
    await unlucky.connect()
    expect(unlucky.client.state.get()).toMatchObject({ is: 'waiting', reason: 'no_token' })
    await unlucky.recover()
    expect(unlucky.client.state.get()).toMatchObject({ is: 'ready' })
  })

  it('C20 ends after final close codes', async () => {
    const cases = [
      [4410, 'account_deleted', { is: 'account-deleted' }],
      [4403, 'link_rotated', { is: 'forbidden', code: 'link_rotated' }],
    ] as const
    for (const [code, reason, expected] of cases) {
      const { client, clock, connect, flush, network } = createTestHarness()
      await connect()
      network.last.close(code, reason)
      await flush()
      await clock.advance(60_000)
      expect(client.state.get()).toEqual({ is: 'ended', reason: expected })
      expect(network.sockets).toHaveLength(1)
      expect(clock.pending).toBe(0)
    }
  })

  it('C20 ends after a final login refusal', async () => {
    const { client, connect, server } = createTestHarness()
    server.refusals.set('token-1', 'account_deleted')
    await connect()
    expect(client.state.get()).toEqual({ is: 'ended', reason: { is: 'account-deleted' } })
  })

  it('C20 resumes when the server drains', async () => {
    const { client, connect, network, flush, server } = createTestHarness()
    await connect()
    network.last.close(1001, 'temporarily_unavailable')
    await flush()
    expect(client.state.get()).toMatchObject({ is: 'ready' })
    expect(server.syncs.at(-1)).toMatchObject({ mode: 'resume' })
  })

  it.each([
    [4429, 'rate_limited'],
    [1013, 'server_full'],
  ])('C20 backs off after %i %s', async (code, reason) => {
    const { client, clock, connect, network, flush, recover } = createTestHarness()
    await connect()
    network.last.close(code, reason)
    network.last.flush()
    const state = client.state.get()
    expect(state).toMatchObject({ is: 'waiting', reason })
    expect(state.is === 'waiting' && state.until > clock.now()).toBe(true)
    client.online()
    await flush()
    expect(network.sockets).toHaveLength(1)
    await recover()
    expect(client.state.get()).toMatchObject({ is: 'ready' })
  })

  it('C21 syncs fresh after an invalid frame, at most once', async () => {
    const { client, clock, connect, network, flush, recover, server } = createTestHarness()
    await connect()
    network.last.send('{"control_event":{},"control_event":{}}')
    await flush()
    await recover()
    expect(network.sockets[0]?.closedWith).toEqual({ code: 4400, reason: 'invalid_argument' })
    expect(server.syncs.map(({ mode }) => mode)).toEqual(['fresh', 'fresh'])
    await clock.advance(10_000)
    network.last.close(4400, 'invalid_argument')
    await recover()
    expect(client.state.get()).toMatchObject({ is: 'ready' })
    network.last.close(4400, 'invalid_argument')
    await flush()
    expect(client.state.get()).toEqual({
      is: 'ended',
      reason: { is: 'incompatible', code: 'invalid_argument' },
    })
  })

  it('C22 probes a silent connection, and reconnects when there is no response', async () => {
    const { client, clock, connect, flush, network, server } = createTestHarness({ silenceMs: 3_000 })
    await connect()
    await clock.advance(3_000)
    await flush()
    expect(server.syncs.at(-1)).toMatchObject({ mode: 'resync' })
    await clock.advance(3_000 + 4_999)
    expect(network.sockets).toHaveLength(1)
    await clock.advance(1)
    expect(network.sockets).toHaveLength(2)
    await flush()
    expect(client.state.get()).toMatchObject({ is: 'ready' })
  })

  it('C22 probes sooner while a command has no answer', async () => {
    const { clock, connect, flush, join, network, sendChat, server } = createTestHarness({
      silenceMs: 60_000,
    })
    await connect()
    await join()
    await clock.advance(10_000)
    const sent = sendChat('hello')
    await clock.advance(4_000)
    expect(server.syncs).toHaveLength(1)
    expect(network.sockets).toHaveLength(1)
    await clock.advance(5_000)
    expect(network.sockets).toHaveLength(2)
    await flush()
    await sent
    expect(server.model.stored).toHaveLength(1)
  })

  it('C22 does not count the time after an answer as that of the command', async () => {
    const { clock, connect, flush, join, network, sendChat, server } = createTestHarness({
      silenceMs: 60_000,
    })
    await connect()
    await join()
    const sent = sendChat('hello')
    await flush()
    await sent
    await clock.advance(59_999)
    await flush()
    expect(server.syncs).toHaveLength(1)
    expect(network.sockets).toHaveLength(1)
  })

  it('C22 gives a slow server more time after each probe in vain, until it is quick again', async () => {
    const { clock, connect, flush, network, recover, server } = createTestHarness({ silenceMs: 3_000 })
    await connect()
    const connections = () => server.logins.length
    for (const [count, ms] of [
      [1, 5_000],
      [2, 10_000],
      [3, 14_000], // then the sync times out
    ] as const) {
      await clock.advance(3_000)
      await clock.advance(ms - 1)
      expect(connections()).toBe(count)
      await clock.advance(ms === 14_000 ? 2_000 : 1)
      await recover()
      expect(connections()).toBe(count + 1)
    }
    await clock.advance(3_000)
    await flush()
    await clock.advance(3_000)
    await clock.advance(5_000)
    await recover()
    expect(connections()).toBe(5)
    expect(network.sockets).toHaveLength(5)
  })

  it('C22 counts a signal without listeners as activity', async () => {
    const { client, clock, connect, flush, network, server } = createTestHarness({ silenceMs: 3_000 })
    await connect()
    for (let seq = 1; seq <= 5; seq++) {
      await clock.advance(2_000)
      for (const stream_id of [ACCOUNT, 'session:unknown'])
        server.push('control_signal', {
          stream_id,
          stream_epoch: '1',
          source_id: 'server',
          signal_seq: `${seq}`,
          ttl_ms: 1_000,
          name: 'connection.alive',
          body: {},
        })
      await flush()
    }
    expect(server.syncs).toHaveLength(1)
    expect(network.sockets).toHaveLength(1)
    expect(client.state.get()).toMatchObject({ is: 'ready' })
  })

  it('C22 does not wait forever for a socket or a login', async () => {
    const { client, clock, network, recover } = createTestHarness({ silenceMs: 3_000 })
    client.open()
    await clock.advance(0)
    expect(client.state.get()).toMatchObject({ is: 'connecting' })
    await clock.advance(20_000)
    expect(network.sockets).toHaveLength(2)
    network.last.flushToClient()
    expect(client.state.get()).toMatchObject({ is: 'logging-in' })
    await clock.advance(21_000)
    expect(network.sockets.length).toBeGreaterThan(2)
    await recover()
    expect(client.state.get()).toMatchObject({ is: 'ready' })
  })

  it('C27 closes with 1000 finally, and with 4000 before a reconnect', async () => {
    const { client, clock, connect, network, recover, server } = createTestHarness({ silenceMs: 3_000 })
    await connect()
    await clock.advance(8_000)
    await recover()
    server.onSync = () => ({ code: 'temporarily_unavailable', retry_after_ms: 1_000 })
    network.last.drop()
    await recover()
    server.onSync = () => undefined
    await recover()
    client.close()
    const closings = network.sockets.flatMap(({ closedWith }) => closedWith ?? [])
    expect(closings[0]).toEqual({ code: 4000, reason: 'back_soon' })
    expect(closings.at(-1)).toEqual({ code: 1000, reason: '' })
    expect(closings.slice(0, -1).every(({ code }) => code === 4000)).toBe(true)
  })

  it('C28 rejects addresses that are no WebSocket URLs', () => {
    for (const url of ['', '/api/v1.0/control', 'https://example.org', 'wss://', 'wss://example.org/#x'])
      expect(() => createTestHarness({ url }), url).toThrow(TypeError)
  })

  it('C23 closes in any state, once, and leaves no timer', async () => {
    for (let frames = 0; frames < 8; frames++) {
      const { client, clock, network } = createTestHarness()
      client.open()
      await clock.advance(0)
      network.last.flush(frames)
      client.close()
      client.close()
      expect(client.state.get()).toEqual({ is: 'ended', reason: { is: 'closed' } })
      expect(clock.pending).toBe(0)
    }
  })

  it('C23 opens no socket when it is closed while the token is fetched', async () => {
    const { client, clock, network } = createTestHarness()
    client.open()
    client.close()
    await clock.advance(0)
    expect(network.sockets).toHaveLength(0)
  })
})
