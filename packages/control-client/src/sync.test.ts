import type { ControlSnapshot } from '@lectern/protocol/control/client'
import { describe, expect, it } from 'vitest'
import { ACCOUNT, SESSION } from './testing/model.ts'
import { createTestHarness } from './testing/test-harness.ts'

const ready = { is: 'ready' }

async function joined() {
  const harness = createTestHarness()
  await harness.connect()
  await harness.join()
  return harness
}

/** Frames of one kind in transit to the client. */
const inTransit = (harness: Awaited<ReturnType<typeof joined>>, kind: string) =>
  harness.network.last.toClient.filter(item => item.is === 'text' && item.text.startsWith(`{"${kind}"`))

describe('sync', () => {
  it('C1 starts with a fresh sync, and sends the link at every login (LINK-2)', async () => {
    const { client, server, network, recover, connect } = createTestHarness()
    await connect()
    expect(client.state.get()).toMatchObject({ ...ready, binding: { binding_generation: '1' } })
    expect(server.syncs).toMatchObject([{ mode: 'fresh', cursors: [] }])
    network.last.drop()
    await recover()
    expect(server.logins.map(login => login.join_token)).toEqual(['link', 'link'])
    expect(server.logins[0]?.protocol_offer).toMatchObject({ versions: [1, 2], require_version: 2 })
  })

  it('C2 resumes with the next generation after a disconnect, and receives missed events', async () => {
    const harness = await joined()
    harness.server.postMessage('one')
    await harness.flush()
    harness.network.last.drop()
    harness.server.postMessage('two')
    await harness.recover()
    expect(harness.server.syncs.at(-1)).toMatchObject({
      mode: 'resume',
      resume: { binding: { binding_generation: '1' } },
    })
    expect(harness.client.state.get()).toMatchObject({ ...ready, binding: { binding_generation: '2' } })
    expect(harness.texts()).toEqual(['one', 'two'])
    expect(harness.events.filter(event => event.includes('chat'))).toHaveLength(2)
  })

  it('C2 receives a snapshot when missed events are no longer stored', async () => {
    const harness = await joined()
    harness.server.window = 1
    harness.network.last.drop()
    for (const text of ['a', 'b', 'c', 'd', 'e']) harness.server.postMessage(text)
    await harness.recover()
    expect(harness.texts()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(harness.client.state.get()).toMatchObject(ready)
  })

  it('C2 emits a snapshot after the view contains it, and missed events as events', async () => {
    const harness = createTestHarness()
    const emitted: unknown[] = []
    harness.client.onSnapshot(({ streamId }) => emitted.push([streamId, harness.texts()]))
    await harness.connect()
    await harness.join()
    expect(emitted).toEqual([
      [ACCOUNT, []],
      [SESSION, []],
    ])
    harness.network.last.drop()
    harness.server.postMessage('missed')
    await harness.recover()
    expect(emitted).toHaveLength(2)
    harness.server.window = 1
    harness.network.last.drop()
    for (const text of ['a', 'b', 'c']) harness.server.postMessage(text)
    await harness.recover()
    expect(emitted.slice(2)).toEqual([[SESSION, ['missed', 'a', 'b', 'c']]])
  })

  it('C2 resumes again when the result of a resume was lost', async () => {
    const harness = await joined()
    harness.network.last.drop()
    await harness.clock.advance(0)
    harness.network.last.flushToClient()
    harness.network.last.flushToServer()
    harness.network.last.flushToClient()
    harness.network.last.flushToServer()
    harness.network.last.drop()
    await harness.recover()
    const [first, second] = harness.server.syncs.slice(-2)
    expect(second).toMatchObject({ mode: 'resume', resume: { previous_request_id: first?.request_id } })
    expect(harness.client.state.get()).toMatchObject({ ...ready, binding: { binding_generation: '3' } })
  })

  it('C2 completes a resync immediately when nothing is new', async () => {
    const harness = await joined()
    harness.server.postMessage('one')
    await harness.flush()
    harness.server.rename('Anne')
    harness.network.last.toClient = []
    harness.client.wake()
    harness.network.last.flushToServer()
    expect(inTransit(harness, 'control_snapshot')).toHaveLength(1)
    await harness.flush()
    harness.client.wake()
    harness.network.last.flushToServer()
    expect(inTransit(harness, 'control_snapshot')).toHaveLength(0)
    await harness.flush()
    harness.client.wake()
    await harness.flush()
    expect(harness.server.syncs.map(sync => sync.mode)).toEqual(['fresh', 'resync', 'resync', 'resync'])
    harness.server.postMessage('two')
    await harness.flush()
    expect(harness.texts()).toEqual(['one', 'two'])
    expect(harness.client.account('7').get()).toMatchObject({ display_name: 'Anne' })
  })

  it('C2 continues from the listed cursor, whatever arrived after a gap', async () => {
    const harness = await joined()
    harness.server.push('control_event', {
      event_id: 'strange',
      stream_id: ACCOUNT,
      stream_epoch: '1',
      seq: '9',
      aggregate: { kind: 'account', id: '7' },
      aggregate_version: '1',
      name: 'account.changed',
      body: { display_name: 'Nobody' },
    })
    await harness.flush()
    harness.server.rename('Anne')
    await harness.flush()
    expect(harness.client.account('7').get()).toMatchObject({ display_name: 'Anne' })
    expect(harness.network.sockets).toHaveLength(1)
  })

  it('C31 resumes at the server that handles a rejected resume, and keeps its state', async () => {
    const harness = createTestHarness({ conference: 'k7mq' })
    await harness.connect()
    await harness.join()
    let starts = 0
    harness.client.onStart(() => starts++)
    let rejections = 0
    harness.server.onSync = ({ mode }) =>
      mode === 'resume' && rejections++ === 0
        ? { code: 'resume_rejected', extensions: { reason: 'elsewhere' } }
        : undefined
    harness.network.last.drop()
    await harness.recover()
    expect(harness.server.syncs.map(({ mode }) => mode)).toEqual(['fresh', 'resume', 'resume'])
    expect(harness.network.offered.at(-1)).toEqual(['svc.control', 'room.k7mq'])
    expect(harness.client.state.get()).toMatchObject({ ...ready, binding: { binding_generation: '2' } })
    expect(starts).toBe(0)
  })

  it('C31 syncs fresh after such a rejection when it has no conference', async () => {
    const harness = await joined()
    harness.server.onSync = ({ mode }) =>
      mode === 'resume' ? { code: 'resume_rejected', extensions: { reason: 'elsewhere' } } : undefined
    harness.network.last.drop()
    await harness.recover()
    expect(harness.server.syncs.map(({ mode }) => mode)).toEqual(['fresh', 'resume', 'fresh'])
    expect(harness.client.state.get()).toMatchObject(ready)
  })

  it('C2 resumes at a server with streams of another epoch, and receives their state', async () => {
    const harness = await joined()
    harness.server.postMessage('one')
    await harness.flush()
    let starts = 0
    harness.client.onStart(() => starts++)
    harness.network.last.drop()
    harness.server.takeOver()
    harness.server.postMessage('two')
    await harness.recover()
    expect(harness.client.state.get()).toMatchObject({ ...ready, binding: { binding_generation: '2' } })
    expect(harness.texts()).toEqual(['one', 'two'])
    harness.server.postMessage('three')
    await harness.flush()
    expect(harness.texts()).toEqual(['one', 'two', 'three'])
    expect(starts).toBe(0)
  })

  it('C3 syncs fresh after a rejected resume', async () => {
    const harness = await joined()
    let starts = 0
    harness.client.onStart(() => starts++)
    harness.server.forgetConnections()
    harness.network.last.drop()
    await harness.recover()
    expect(harness.server.syncs.slice(-2)).toMatchObject([{ mode: 'resume' }, { mode: 'fresh' }])
    expect(harness.client.state.get()).toMatchObject(ready)
    expect(harness.session.get()).toBeNull()
    expect(starts).toBe(1)
  })

  it('C3 syncs fresh after a restart with a new epoch', async () => {
    const harness = await joined()
    harness.server.restart()
    await harness.recover()
    harness.server.rename('Anne')
    await harness.flush()
    expect(harness.client.account('7').get()).toMatchObject({ display_name: 'Anne' })
  })

  it('C4 reconnects after retry_after_ms, never sooner', async () => {
    const harness = createTestHarness()
    harness.server.onSync = () => ({ code: 'temporarily_unavailable', retry_after_ms: 5_000 })
    await harness.connect()
    expect(harness.client.state.get()).toMatchObject({
      is: 'waiting',
      reason: 'retry_later',
      until: harness.clock.now() + 5_000,
    })
    harness.client.online()
    await harness.clock.advance(4_999)
    expect(harness.server.logins).toHaveLength(1)
    harness.server.onSync = () => undefined
    await harness.recover()
    expect(harness.client.state.get()).toMatchObject(ready)
  })

  it('C5 emits the parts of a snapshot as they arrive, and assembles them in any order', async () => {
    const harness = await joined()
    const emitted: string[] = []
    harness.client.onSnapshotPart(({ streamId }) => emitted.push(`part of ${streamId}`))
    harness.client.onSnapshot(({ streamId }) => emitted.push(streamId))
    for (let i = 0; i < 9; i++) harness.server.postMessage(`${i}`)
    harness.network.last.toClient = []
    harness.client.wake()
    harness.network.last.flushToServer()
    const parts = inTransit(harness, 'control_snapshot')
    expect(parts).toHaveLength(3)
    harness.network.last.toClient = [
      ...harness.network.last.toClient.filter(item => !parts.includes(item)),
      ...parts.reverse(),
    ]
    await harness.flush()
    expect(harness.session.get()).toEqual({ ...harness.server.model.session, ended: null })
    expect(emitted).toEqual([...Array(3).fill('part of session:1'), 'session:1'])
  })

  it('C5 discards an incomplete snapshot when another one replaces it', async () => {
    const harness = createTestHarness()
    const part = (id: string, index: number, name: string): ControlSnapshot =>
      ({
        request_id: harness.server.syncs.at(-1)?.request_id,
        stream_id: ACCOUNT,
        stream_epoch: '1',
        snapshot_id: id,
        snapshot_seq: '5',
        part_index: index,
        part_count: 2,
        state: index ? { display_name: name } : { user_id: '7' },
      }) as unknown as ControlSnapshot
    await harness.connect()
    for (const [id, index] of [
      ['x', 0],
      ['y', 0],
      ['x', 1],
      ['y', 1],
    ] as const)
      harness.server.push('control_snapshot', part(id, index, id))
    await harness.flush()
    expect(harness.client.account('7').get()).toEqual({ user_id: '7', display_name: 'y' })
  })

  it('C5 ignores a snapshot that is older than the state', async () => {
    const harness = await joined()
    harness.server.rename('Anne')
    await harness.flush()
    harness.server.push('control_snapshot', {
      request_id: harness.server.syncs.at(-1)?.request_id ?? '',
      stream_id: ACCOUNT,
      stream_epoch: '1',
      snapshot_id: 'old',
      snapshot_seq: '0',
      part_index: 0,
      part_count: 1,
      state: { user_id: '7', display_name: 'Anna' },
    })
    await harness.flush()
    expect(harness.client.account('7').get()).toMatchObject({ display_name: 'Anne' })
  })

  it('C6 rejects a snapshot above the limits', async () => {
    for (const limit of [{ max_sync_bytes: 1024 }, { max_sync_parts: 1 }]) {
      const harness = await joined()
      for (let i = 0; i < 9; i++) harness.server.postMessage('x'.repeat(100))
      await harness.flush()
      harness.server.limits = { ...harness.server.limits, ...limit }
      harness.server.window = 0
      harness.network.last.drop()
      harness.server.postMessage('more')
      await harness.flush()
      expect(harness.network.sockets.some(socket => socket.closedWith?.reason === 'resource_exhausted')).toBe(
        true,
      )
      expect(harness.server.syncs.map(sync => sync.mode)).toEqual(['fresh', 'resume'])
      await harness.recover()
      expect(harness.server.syncs.at(-1)).toMatchObject({ mode: 'fresh' })
    }
  })

  it('C7 resyncs when an event is missing, and never shows events after the gap', async () => {
    const harness = await joined()
    harness.server.postMessage('lost')
    harness.network.last.toClient = []
    harness.server.postMessage('received')
    await harness.flush()
    expect(harness.server.syncs.at(-1)).toMatchObject({
      mode: 'resync',
      cursors: [{}, { stream_id: SESSION }],
    })
    expect(harness.texts()).toEqual(['lost', 'received'])
    expect(harness.client.state.get()).toMatchObject({ ...ready, binding: { binding_generation: '1' } })
  })

  it('C7 resyncs when the epoch changes', async () => {
    const harness = await joined()
    harness.server.epoch = 2
    harness.server.postMessage('new times')
    await harness.flush()
    expect(harness.server.syncs.at(-1)).toMatchObject({ mode: 'resync' })
    expect(harness.texts()).toEqual(['new times'])
    harness.server.postMessage('go on')
    await harness.flush()
    expect(harness.texts()).toEqual(['new times', 'go on'])
  })

  it('C7 resyncs after resync_required', async () => {
    const harness = await joined()
    harness.server.onCommand = () => ({ code: 'resync_required' })
    const refused = expect(harness.sendChat('x')).rejects.toMatchObject({ code: 'resync_required' })
    await harness.flush()
    await refused
    expect(harness.server.syncs.at(-1)).toMatchObject({ mode: 'resync' })
  })

  it('C8 resyncs when the state of a new stream does not arrive', async () => {
    const harness = createTestHarness()
    harness.server.joinStream = logical => void logical.streams.add(SESSION)
    await harness.connect()
    await harness.join()
    expect(harness.session.get()).toBeNull()
    await harness.clock.advance(10_000)
    await harness.flush()
    expect(harness.session.get()).toMatchObject({ locked: false, participants: [{ user_id: '7' }] })
  })

  it('C8 buffers events that arrive before their snapshot, and drops those that it contains', async () => {
    const harness = createTestHarness()
    await harness.connect()
    const joining = harness.client.command('conference.join', { kind: 'conference', id: 'k' }, {})
    harness.network.last.flushToServer()
    harness.server.postMessage('after')
    const [snapshot, result, event] = harness.network.last.toClient
    if (!snapshot || !result || !event) throw new Error('three frames were expected')
    harness.network.last.toClient = [event, result, snapshot, snapshot]
    await harness.flush()
    await joining
    expect(harness.texts()).toEqual(['after'])
    expect(harness.events).toEqual([`${SESSION} 2 chat.message`])
  })

  it('C9 drops frames of another binding generation, and repeated events', async () => {
    const harness = await joined()
    harness.server.postMessage('one')
    const [frame] = harness.network.last.toClient
    if (frame?.is !== 'text') throw new Error('a frame was expected')
    const stale = frame.text
      .replace('"binding_generation":"1"', '"binding_generation":"9"')
      .replace('"seq":"2"', '"seq":"3"')
    harness.network.last.toClient.push(frame, frame)
    await harness.flush()
    harness.network.last.send(stale)
    await harness.flush()
    expect(harness.texts()).toEqual(['one'])
    expect(harness.server.syncs).toHaveLength(1)
  })

  it('C2 reconnects when a sync takes longer than sync_timeout_ms', async () => {
    const harness = createTestHarness({ silenceMs: 60_000 })
    harness.server.onSync = () => 'silence'
    await harness.connect()
    expect(harness.client.state.get()).toMatchObject({ is: 'syncing', mode: 'fresh' })
    await harness.clock.advance(10_000)
    expect(harness.server.logins).toHaveLength(1)
    harness.server.onSync = () => undefined
    await harness.recover()
    expect(harness.client.state.get()).toMatchObject(ready)
  })

  it('C2 survives a disconnect after every single frame', async () => {
    for (let frames = 0; frames < 16; frames++) {
      const harness = createTestHarness()
      harness.client.open()
      await harness.clock.advance(0)
      harness.network.last.flush(frames)
      harness.network.last.drop()
      await harness.recover()
      await harness.join()
      const said = harness.sendChat('hello')
      harness.network.last.flush(frames % 4)
      harness.network.last.drop()
      await harness.recover()
      await said
      expect(harness.texts()).toEqual(['hello'])
      expect(harness.server.model.stored).toHaveLength(1)
    }
  })
})
