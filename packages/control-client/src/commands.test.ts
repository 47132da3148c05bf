import { describe, expect, it } from 'vitest'
import { SESSION_ID } from './testing/model.ts'
import { createTestHarness } from './testing/test-harness.ts'

async function joined(options: Parameters<typeof createTestHarness>[0] = {}) {
  const harness = createTestHarness(options)
  await harness.connect()
  await harness.join()
  harness.server.commands = []
  return harness
}

/** Tracks the outcome of a promise, and handles its rejection. */
function track(promise: Promise<unknown>) {
  const seen = { is: 'open' as string }
  promise.then(
    () => Object.assign(seen, { is: 'done' }),
    failure => Object.assign(seen, { is: failure.code }),
  )
  return seen
}

describe('commands', () => {
  it('C10 retries a command with the same id until it has a result, and it takes effect once', async () => {
    const { network, recover, sendChat, server, texts } = await joined()
    const said = sendChat('hello')
    network.last.flushToServer()
    network.last.drop()
    await recover()
    expect(await said).toMatchObject({ message_id: 'm1' })
    const [first, second] = server.commands
    expect(second).toEqual({ ...first, binding: { ...first?.binding, binding_generation: '2' } })
    expect(server.model.stored).toHaveLength(1)
    expect(texts()).toEqual(['hello'])
  })

  it('C10 queues commands while there is no connection', async () => {
    const harness = createTestHarness()
    const joining = harness.client.command('conference.join', { kind: 'conference', id: 'k' }, {})
    await harness.connect()
    expect(await joining).toMatchObject({ conference_session_id: '1' })
  })

  it('C10 fails with outcome_unknown at the end of the retry window', async () => {
    const { network, sendChat, server, clock, recover } = await joined()
    server.onCommand = () => 'silence'
    const seen = track(sendChat('hello'))
    network.last.flushToServer()
    network.last.drop()
    network.up = false
    await clock.advance(server.limits.command_retry_window_ms - 1)
    expect(seen.is).toBe('open')
    await clock.advance(1)
    expect(seen.is).toBe('outcome_unknown')
    network.up = true
    await recover()
    expect(server.commands).toHaveLength(1)
  })

  it('C10 does not send a command after its ttl', async () => {
    const { network, sendChat, server, clock, recover } = await joined()
    network.up = false
    network.last.drop()
    const seen = track(sendChat('late', 500))
    await clock.advance(500)
    expect(seen.is).toBe('deadline_exceeded')
    network.up = true
    await recover()
    expect(server.commands).toHaveLength(0)
  })

  it('C33 issues a renewed command again in its place, however long the connection is lost', async () => {
    const { network, server, clock, recover, client, flush } = await joined()
    server.onCommand = () => 'silence'
    const issue = (text: string) =>
      track(
        client.command(
          'chat.send',
          { kind: 'conference_session', id: SESSION_ID },
          { text },
          { ttlMs: 1_000, isRenewed: true },
        ),
      )
    const first = issue('drawn')
    await flush()
    server.onCommand = () => undefined
    network.up = false
    network.last.drop()
    // The retry window of the first command ends before the retry window of the command that follows.
    await clock.advance(500)
    const second = issue('removed')
    await clock.advance(2 * server.limits.command_retry_window_ms)
    network.up = true
    await recover()
    await flush()
    const sent = server.commands.map(({ body, command_id }) => [body.text, command_id])
    expect(sent.map(([text]) => text)).toEqual(['drawn', 'drawn', 'removed'])
    expect(new Set(sent.map(([, id]) => id)).size).toBe(3)
    expect([first.is, second.is]).toEqual(['done', 'done'])
  })

  it('C10 does not treat `received` as a result', async () => {
    const { network, flush, recover, sendChat, server } = await joined()
    server.onCommand = () => 'received'
    const seen = track(sendChat('hello'))
    await flush()
    expect(seen.is).toBe('open')
    server.onCommand = () => undefined
    network.last.drop()
    await recover()
    expect(seen.is).toBe('done')
  })

  it('C10 retries a command with the new binding after stale_binding', async () => {
    const { flush, recover, sendChat, server, client } = await joined()
    let answers = 0
    server.onCommand = () => (answers++ ? undefined : { code: 'stale_binding' })
    const seen = track(sendChat('hello'))
    await flush()
    await recover()
    expect(seen.is).toBe('done')
    expect(server.commands.map(({ binding }) => binding.binding_generation)).toEqual(['1', '2'])
    expect(client.state.get()).toMatchObject({ is: 'ready' })
  })

  it('C10 reports the code and the reason of a rejection', async () => {
    const { flush, sendChat, server } = await joined()
    server.onCommand = () => ({ code: 'permission_denied', message: 'no', extensions: { reason: 'locked' } })
    const failure = { code: 'permission_denied', message: 'no', reason: 'locked' }
    const said = expect(sendChat('x')).rejects.toMatchObject(failure)
    await flush()
    await said
  })

  it('C10 sends expected_version', async () => {
    const { client, flush, server } = await joined()
    const target = { kind: 'conference', id: 'k' } as const
    const locked = client.command('conference.set_lock', target, { locked: true }, { expectedVersion: '4' })
    await flush()
    await locked
    expect(server.commands[0]).toMatchObject({ expected_version: '4', ttl_ms: 30_000 })
  })

  it('C10 rejects a command above max_frame_bytes', async () => {
    const { sendChat, server, flush } = await joined()
    await expect(sendChat('x'.repeat(70_000))).rejects.toMatchObject({ code: 'resource_exhausted' })
    await flush()
    expect(server.commands).toHaveLength(0)
  })

  it('C11 has at most max_inflight_commands in flight', async () => {
    const { flush, sendChat, server, network } = await joined()
    server.limits = { ...server.limits, max_inflight_commands: 8 }
    const seen = Array.from({ length: 20 }, (_, i) => track(sendChat(`${i}`)))
    expect(network.last.toServer).toHaveLength(8)
    network.last.flushToServer(3)
    network.last.flushToClient()
    expect(network.last.toServer).toHaveLength(8)
    await flush()
    expect(seen.every(({ is }) => is === 'done')).toBe(true)
    expect(server.model.stored.map(({ text }) => text)).toEqual(seen.map((_, i) => `${i}`))
  })

  it('C12 retries temporary rejections after retry_after_ms, within the ttl', async () => {
    for (const code of ['temporarily_unavailable', 'rate_limited'] as const) {
      const { flush, sendChat, server, clock } = await joined()
      server.onCommand = () => ({ code, retry_after_ms: 2_000 })
      const seen = track(sendChat('x', 5_000))
      await flush()
      await clock.advance(1_999)
      await flush()
      expect(server.commands).toHaveLength(1)
      await clock.advance(1)
      await flush()
      expect(server.commands).toHaveLength(2)
      expect(seen.is).toBe('open')
      await clock.advance(2_000)
      await flush()
      expect(seen.is).toBe(code)
      expect(new Set(server.commands.map(command => command.command_id)).size).toBe(1)
    }
  })

  it('C31 reconnects with the conference of a command that another server handles, and repeats it', async () => {
    const { client, flush, server, network, clock } = await joined()
    expect(network.offered).toEqual([['svc.control']])
    const answer = server.onCommand
    let refusals = 0
    server.onCommand = command =>
      refusals++ < 2
        ? { code: 'temporarily_unavailable', extensions: { reason: 'elsewhere' } }
        : answer?.(command)
    const target = { kind: 'conference', id: 'other' } as const
    const seen = track(client.command('conference.leave', target, {}))
    await flush()
    await clock.advance(0)
    await flush()
    await clock.advance(1_000)
    await flush()
    expect(seen.is).toBe('done')
    expect(network.offered.slice(1)).toEqual([
      ['svc.control', 'room.other'],
      ['svc.control', 'room.other'],
    ])
    const leaves = server.commands.filter(({ name }) => name === 'conference.leave')
    expect(new Set(leaves.map(({ command_id }) => command_id)).size).toBe(1)
  })

  it('C31 retries on the same connection when it has no conference', async () => {
    const { flush, sendChat, server, network, clock } = await joined()
    let refusals = 0
    server.onCommand = () =>
      refusals++ ? undefined : { code: 'temporarily_unavailable', extensions: { reason: 'elsewhere' } }
    const seen = track(sendChat('x'))
    await flush()
    await clock.advance(1_000)
    await flush()
    expect(seen.is).toBe('done')
    expect(network.offered).toHaveLength(1)
  })

  it('C12 fails immediately with rate_limited if the caller so chooses', async () => {
    const { client, flush, server } = await joined()
    server.onCommand = () => ({
      code: 'rate_limited',
      retry_after_ms: 2_000,
      extensions: { reason: 'too_many_messages' },
    })
    const target = { kind: 'conference_session', id: SESSION_ID } as const
    const send = client.command('chat.send', target, { text: 'x' }, { whenRateLimited: 'fail' })
    const failure = send.catch((error: unknown) => error)
    await flush()
    expect(await failure).toMatchObject({
      code: 'rate_limited',
      reason: 'too_many_messages',
      retryAfterMs: 2_000,
    })
    expect(server.commands).toHaveLength(1)
  })

  it('C12 retries a command after outcome_unknown', async () => {
    const { flush, sendChat, server, clock } = await joined()
    let answers = 0
    server.onCommand = () => (answers++ ? undefined : { code: 'outcome_unknown' })
    const seen = track(sendChat('x'))
    await flush()
    await clock.advance(1_000)
    await flush()
    expect(seen.is).toBe('done')
  })

  it('C23 distinguishes on close unsent commands from those with an unknown outcome', async () => {
    const { client, sendChat, server, clock, network } = await joined()
    server.limits = { ...server.limits, max_inflight_commands: 8 }
    const seen = Array.from({ length: 9 }, () => track(sendChat('x')))
    client.close()
    await clock.advance(0)
    expect(seen.map(({ is }) => is)).toEqual([...Array(8).fill('outcome_unknown'), 'closed'])
    await expect(sendChat('y')).rejects.toMatchObject({ code: 'closed' })
    expect(network.last.closedWith).toMatchObject({ code: 1000 })
    expect(clock.pending).toBe(0)
  })

  it('C25 sends start commands before all others, which wait for their results', async () => {
    const harness = await joined()
    const { client, flush, network, recover, sendChat, server } = harness
    const seen = [track(sendChat('before')), track(sendChat('too'))]
    network.last.flushToServer(1)
    client.onStart(() => {
      seen.push(track(client.command('conference.join', { kind: 'conference', id: 'k7mq' }, {})))
    })
    server.restart()
    server.commands = []
    server.onCommand = ({ name }) => (name === 'conference.join' ? 'received' : undefined)
    await recover()
    await flush()
    expect(server.commands.map(({ name }) => name)).toEqual(['conference.join'])
    server.onCommand = () => undefined
    network.last.drop()
    await recover()
    await flush()
    expect(server.commands.map(({ name }) => name).slice(1)).toEqual([
      'conference.join',
      'chat.send',
      'chat.send',
    ])
    expect(seen.map(({ is }) => is)).toEqual(['done', 'done', 'done'])
  })

  it('C25 sends the other commands after a start command has failed', async () => {
    const { client, connect, flush, sendChat, server, clock } = createTestHarness()
    client.onStart(() => track(client.command('conference.join', { kind: 'conference', id: 'k' }, {})))
    server.limits = { ...server.limits, command_retry_window_ms: 5_000 }
    server.onCommand = ({ name }) => (name === 'conference.join' ? 'silence' : undefined)
    const seen = track(sendChat('hello'))
    await connect()
    expect(server.commands.map(({ name }) => name)).toEqual(['conference.join'])
    await clock.advance(5_000)
    await flush()
    expect(seen.is).toBe('permission_denied')
  })

  it('C26 limits pending commands to a thousand, except for start commands', async () => {
    const { client, clock, connect, sendChat } = createTestHarness()
    const seen = Array.from({ length: 1_001 }, () => track(sendChat('x')))
    await clock.advance(0)
    expect(seen.map(({ is }) => is).filter(is => is !== 'open')).toEqual(['resource_exhausted'])
    const joins: ReturnType<typeof track>[] = []
    client.onStart(() => {
      joins.push(track(client.command('conference.join', { kind: 'conference', id: 'k' }, {})))
    })
    await connect()
    expect(joins).toEqual([{ is: 'done' }])
    expect(seen[0]).toEqual({ is: 'done' })
  })

  it('C29 aborts a command by its signal in every state', async () => {
    const { client, clock, flush, network, recover, server } = await joined()
    const target = { kind: 'conference_session', id: '1' } as const
    const open = (signal: AbortSignal) => track(client.command('media.open', target, {}, { signal }))
    const [sent, postponed, queued] = [new AbortController(), new AbortController(), new AbortController()]
    server.commands = []
    server.onCommand = () => ({ code: 'temporarily_unavailable', message: '' })
    const seen = [open(postponed.signal)]
    await flush()
    server.onCommand = () => 'silence'
    seen.push(open(sent.signal))
    await flush()
    network.last.drop()
    seen.push(open(queued.signal))
    for (const each of [sent, postponed, queued]) each.abort()
    server.onCommand = () => undefined
    await recover()
    await clock.advance(60_000)
    expect(server.commands).toHaveLength(2)
    seen.push(open(sent.signal))
    await flush()
    expect(server.commands).toHaveLength(2)
    expect(seen.map(({ is }) => is)).toEqual(Array(4).fill('aborted'))
  })

  it('C13 shows a repeated message once', async () => {
    const { flush, server, texts } = await joined()
    server.postMessage('once')
    const [message] = server.model.stored
    server.publish('session:1', 'chat.message', { message })
    await flush()
    expect(texts()).toEqual(['once'])
  })
})
