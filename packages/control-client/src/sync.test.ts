import type { ControlSnapshot } from '@lectern/protocol/control/client'
import { describe, expect, it } from 'vitest'
import { ACCOUNT, SESSION } from './testing/model.ts'
import { makeWorld } from './testing/world.ts'

const ready = { is: 'ready' }

async function joined() {
  const world = makeWorld()
  await world.connect()
  await world.join()
  return world
}

/** Frames of one kind on their way to the client. */
const waiting = (world: Awaited<ReturnType<typeof joined>>, kind: string) =>
  world.network.last.toClient.filter(item => item.is === 'text' && item.text.startsWith(`{"${kind}"`))

describe('sync', () => {
  it('C1 syncs fresh first and sends the link at every login', async () => {
    const { client, server, network, recover, connect } = makeWorld()
    await connect()
    expect(client.state.get()).toMatchObject({ ...ready, binding: { binding_generation: '1' } })
    expect(server.syncs).toMatchObject([{ mode: 'fresh', cursors: [] }])
    network.last.drop()
    await recover()
    expect(server.logins.map(login => login.join_token)).toEqual(['link', 'link'])
    expect(server.logins[0]?.protocol_offer).toMatchObject({ versions: [1, 2], require_version: 2 })
  })

  it('C2 resumes after a drop with the next generation, and gets what it missed', async () => {
    const world = await joined()
    world.server.say('one')
    await world.flush()
    world.network.last.drop()
    world.server.say('two')
    await world.recover()
    expect(world.server.syncs.at(-1)).toMatchObject({
      mode: 'resume',
      resume: { binding: { binding_generation: '1' } },
    })
    expect(world.client.state.get()).toMatchObject({ ...ready, binding: { binding_generation: '2' } })
    expect(world.texts()).toEqual(['one', 'two'])
    expect(world.events.filter(event => event.includes('chat'))).toHaveLength(2)
  })

  it('C2 takes a snapshot where the missed events are not kept', async () => {
    const world = await joined()
    world.server.window = 1
    world.network.last.drop()
    for (const text of ['a', 'b', 'c', 'd', 'e']) world.server.say(text)
    await world.recover()
    expect(world.texts()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(world.client.state.get()).toMatchObject(ready)
  })

  it('C2 tells of a snapshot once the view shows it, and of missed events as events', async () => {
    const world = makeWorld()
    const told: unknown[] = []
    world.client.onSnapshot(({ streamId }) => told.push([streamId, world.texts()]))
    await world.connect()
    await world.join()
    expect(told).toEqual([
      [ACCOUNT, []],
      [SESSION, []],
    ])
    world.network.last.drop()
    world.server.say('missed')
    await world.recover()
    expect(told).toHaveLength(2)
    world.server.window = 1
    world.network.last.drop()
    for (const text of ['a', 'b', 'c']) world.server.say(text)
    await world.recover()
    expect(told.slice(2)).toEqual([[SESSION, ['missed', 'a', 'b', 'c']]])
  })

  it('C2 resumes again when the answer to a resume is lost', async () => {
    const world = await joined()
    world.network.last.drop()
    await world.clock.advance(0)
    world.network.last.flushToClient()
    world.network.last.flushToServer()
    world.network.last.flushToClient()
    world.network.last.flushToServer()
    world.network.last.drop()
    await world.recover()
    const [first, second] = world.server.syncs.slice(-2)
    expect(second).toMatchObject({ mode: 'resume', resume: { previous_request_id: first?.request_id } })
    expect(world.client.state.get()).toMatchObject({ ...ready, binding: { binding_generation: '3' } })
  })

  it('C2 is done with a resync at once where the server has nothing new', async () => {
    const world = await joined()
    world.server.say('one')
    await world.flush()
    world.server.rename('Anne')
    world.network.last.toClient = []
    world.client.wake()
    world.network.last.flushToServer()
    expect(waiting(world, 'control_snapshot')).toHaveLength(1)
    await world.flush()
    world.client.wake()
    world.network.last.flushToServer()
    expect(waiting(world, 'control_snapshot')).toHaveLength(0)
    await world.flush()
    world.client.wake()
    await world.flush()
    expect(world.server.syncs.map(sync => sync.mode)).toEqual(['fresh', 'resync', 'resync', 'resync'])
    world.server.say('two')
    await world.flush()
    expect(world.texts()).toEqual(['one', 'two'])
    expect(world.client.account('7').get()).toMatchObject({ display_name: 'Anne' })
  })

  it('C2 goes on from the end that the server names, whatever came after a gap', async () => {
    const world = await joined()
    world.server.push('control_event', {
      event_id: 'strange',
      stream_id: ACCOUNT,
      stream_epoch: '1',
      seq: '9',
      aggregate: { kind: 'account', id: '7' },
      aggregate_version: '1',
      name: 'account.changed',
      body: { display_name: 'Nobody' },
    })
    await world.flush()
    world.server.rename('Anne')
    await world.flush()
    expect(world.client.account('7').get()).toMatchObject({ display_name: 'Anne' })
    expect(world.network.wires).toHaveLength(1)
  })

  it('C3 syncs fresh when the resume is rejected', async () => {
    const world = await joined()
    let starts = 0
    world.client.onStart(() => starts++)
    world.server.forgetConnections()
    world.network.last.drop()
    await world.recover()
    expect(world.server.syncs.slice(-2)).toMatchObject([{ mode: 'resume' }, { mode: 'fresh' }])
    expect(world.client.state.get()).toMatchObject(ready)
    expect(world.session.get()).toBeNull()
    expect(starts).toBe(1)
  })

  it('C3 syncs fresh after a restart with a new epoch', async () => {
    const world = await joined()
    world.server.restart()
    await world.recover()
    world.server.rename('Anne')
    await world.flush()
    expect(world.client.account('7').get()).toMatchObject({ display_name: 'Anne' })
  })

  it('C4 comes back when the server says, not sooner', async () => {
    const world = makeWorld()
    world.server.onSync = () => ({ code: 'temporarily_unavailable', retry_after_ms: 5_000 })
    await world.connect()
    expect(world.client.state.get()).toMatchObject({
      is: 'waiting',
      reason: 'retry_later',
      until: world.clock.now() + 5_000,
    })
    world.client.online()
    await world.clock.advance(4_999)
    expect(world.server.logins).toHaveLength(1)
    world.server.onSync = () => undefined
    await world.recover()
    expect(world.client.state.get()).toMatchObject(ready)
  })

  it('C5 puts the parts of a snapshot together in any order', async () => {
    const world = await joined()
    for (let i = 0; i < 9; i++) world.server.say(`${i}`)
    world.network.last.toClient = []
    world.client.wake()
    world.network.last.flushToServer()
    const parts = waiting(world, 'control_snapshot')
    expect(parts).toHaveLength(3)
    world.network.last.toClient = [
      ...world.network.last.toClient.filter(item => !parts.includes(item)),
      ...parts.reverse(),
    ]
    await world.flush()
    expect(world.session.get()).toEqual({ ...world.server.model.session, ended: null })
  })

  it('C5 forgets a half snapshot when another one replaces it', async () => {
    const world = makeWorld()
    const part = (id: string, index: number, name: string): ControlSnapshot =>
      ({
        request_id: world.server.syncs.at(-1)?.request_id,
        stream_id: ACCOUNT,
        stream_epoch: '1',
        snapshot_id: id,
        snapshot_seq: '5',
        part_index: index,
        part_count: 2,
        state: index ? { display_name: name } : { user_id: '7' },
      }) as unknown as ControlSnapshot
    await world.connect()
    for (const [id, index] of [
      ['x', 0],
      ['y', 0],
      ['x', 1],
      ['y', 1],
    ] as const)
      world.server.push('control_snapshot', part(id, index, id))
    await world.flush()
    expect(world.client.account('7').get()).toEqual({ user_id: '7', display_name: 'y' })
  })

  it('C5 does not go back to a snapshot that is older than the state', async () => {
    const world = await joined()
    world.server.rename('Anne')
    await world.flush()
    world.server.push('control_snapshot', {
      request_id: world.server.syncs.at(-1)?.request_id ?? '',
      stream_id: ACCOUNT,
      stream_epoch: '1',
      snapshot_id: 'old',
      snapshot_seq: '0',
      part_index: 0,
      part_count: 1,
      state: { user_id: '7', display_name: 'Anna' },
    })
    await world.flush()
    expect(world.client.account('7').get()).toMatchObject({ display_name: 'Anne' })
  })

  it('C6 does not take a snapshot beyond the limits', async () => {
    for (const limit of [{ max_sync_bytes: 1024 }, { max_sync_parts: 1 }]) {
      const world = await joined()
      for (let i = 0; i < 9; i++) world.server.say('x'.repeat(100))
      await world.flush()
      world.server.limits = { ...world.server.limits, ...limit }
      world.server.window = 0
      world.network.last.drop()
      world.server.say('more')
      await world.flush()
      expect(world.network.wires.some(wire => wire.closedWith?.reason === 'resource_exhausted')).toBe(true)
      expect(world.server.syncs.map(sync => sync.mode)).toEqual(['fresh', 'resume'])
      await world.recover()
      expect(world.server.syncs.at(-1)).toMatchObject({ mode: 'fresh' })
    }
  })

  it('C7 resyncs when an event is missing, and the gap is never seen', async () => {
    const world = await joined()
    world.server.say('lost')
    world.network.last.toClient = []
    world.server.say('heard')
    await world.flush()
    expect(world.server.syncs.at(-1)).toMatchObject({ mode: 'resync', cursors: [{}, { stream_id: SESSION }] })
    expect(world.texts()).toEqual(['lost', 'heard'])
    expect(world.client.state.get()).toMatchObject({ ...ready, binding: { binding_generation: '1' } })
  })

  it('C7 resyncs when the epoch changes in the middle', async () => {
    const world = await joined()
    world.server.epoch = 2
    world.server.say('new times')
    await world.flush()
    expect(world.server.syncs.at(-1)).toMatchObject({ mode: 'resync' })
    expect(world.texts()).toEqual(['new times'])
    world.server.say('go on')
    await world.flush()
    expect(world.texts()).toEqual(['new times', 'go on'])
  })

  it('C7 resyncs when a command is answered with resync_required', async () => {
    const world = await joined()
    world.server.onCommand = () => ({ code: 'resync_required' })
    const refused = expect(world.say('x')).rejects.toMatchObject({ code: 'resync_required' })
    await world.flush()
    await refused
    expect(world.server.syncs.at(-1)).toMatchObject({ mode: 'resync' })
  })

  it('C8 takes the state of a stream that begins in the middle, and asks when it does not come', async () => {
    const world = makeWorld()
    world.server.joinStream = logical => void logical.streams.add(SESSION)
    await world.connect()
    await world.join()
    expect(world.session.get()).toBeNull()
    await world.clock.advance(10_000)
    await world.flush()
    expect(world.session.get()).toMatchObject({ locked: false, participants: [{ user_id: '7' }] })
  })

  it('C8 keeps events that come before their snapshot, and drops those that are in it', async () => {
    const world = makeWorld()
    await world.connect()
    const joining = world.client.command('conference.join', { kind: 'conference', id: 'k' }, {})
    world.network.last.flushToServer()
    world.server.say('after')
    const [snapshot, result, event] = world.network.last.toClient
    if (!snapshot || !result || !event) throw new Error('three frames were expected')
    world.network.last.toClient = [event, result, snapshot, snapshot]
    await world.flush()
    await joining
    expect(world.texts()).toEqual(['after'])
    expect(world.events).toEqual([`${SESSION} 2 chat.message`])
  })

  it('C9 drops what has the binding of an earlier life, and what it has already', async () => {
    const world = await joined()
    world.server.say('one')
    const [frame] = world.network.last.toClient
    if (frame?.is !== 'text') throw new Error('a frame was expected')
    const stale = frame.text
      .replace('"binding_generation":"1"', '"binding_generation":"9"')
      .replace('"seq":"2"', '"seq":"3"')
    world.network.last.toClient.push(frame, frame)
    await world.flush()
    world.network.last.send(stale)
    await world.flush()
    expect(world.texts()).toEqual(['one'])
    expect(world.server.syncs).toHaveLength(1)
  })

  it('C2 gives up a sync that takes longer than sync_timeout_ms', async () => {
    const world = makeWorld({ silenceMs: 60_000 })
    world.server.onSync = () => 'silence'
    await world.connect()
    expect(world.client.state.get()).toMatchObject({ is: 'syncing', mode: 'fresh' })
    await world.clock.advance(10_000)
    expect(world.server.logins).toHaveLength(1)
    world.server.onSync = () => undefined
    await world.recover()
    expect(world.client.state.get()).toMatchObject(ready)
  })

  it('C2 survives a loss after every single frame', async () => {
    for (let frames = 0; frames < 16; frames++) {
      const world = makeWorld()
      world.client.open()
      await world.clock.advance(0)
      world.network.last.flush(frames)
      world.network.last.drop()
      await world.recover()
      await world.join()
      const said = world.say('hello')
      world.network.last.flush(frames % 4)
      world.network.last.drop()
      await world.recover()
      await said
      expect(world.texts()).toEqual(['hello'])
      expect(world.server.model.stored).toHaveLength(1)
    }
  })
})
