import type { Cursor, Envelopes } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { SESSION_WINDOW } from '../streams/stream.ts'
import { createHarness, TAG } from '../testing/control-harness.ts'

type Ready = Extract<Envelopes['control_sync_result'], { status: 'ready' }>
const ready = (result: Envelopes['control_sync_result']) => {
  expect(result.status).toBe('ready')
  return result as Ready
}
const cursorOf = (result: Ready, stream: string): Cursor =>
  result.streams.find(({ stream_id }) => stream_id.startsWith(stream)) as Cursor

/** Anna moderates, Ben takes part; nothing waits to be read. */
const both = async () => {
  const harness = await createHarness()
  const anna = await harness.enter('anna', 'moderator')
  const ben = await harness.enter('ben')
  for (const client of [anna, ben]) client.socket.received.length = 0
  return { harness, anna, ben }
}

describe('sync', () => {
  it('Y1 starts a connection that is subscribed to its account', async () => {
    const harness = await createHarness()
    const anna = harness.client('anna')
    await anna.login()
    const result = ready(await anna.fresh())
    expect(result.binding.binding_generation).toBe('1')
    expect(result.streams).toEqual([{ stream_id: 'account:1', stream_epoch: expect.any(String), seq: '0' }])
    expect(anna.snapshots()).toMatchObject([
      {
        stream_id: 'account:1',
        snapshot_seq: '0',
        part_count: 1,
        state: { user_id: '1', display_name: 'anna' },
      },
    ])
  })

  it('Y1 ends the previous connection of the same instance', async () => {
    const { harness, anna, ben } = await both()
    await ben.login() // a second socket; the first is not known to be lost
    await ben.fresh()
    expect(anna.events()).toMatchObject([{ name: 'participant.left', body: { reason: 'left' } }])
    await ben.join()
    expect(harness.registry.state(Number(anna.sessionId))?.state.participants).toHaveLength(2)
  })

  it('Y2 delivers every event after the answer, while others keep acting', async () => {
    const { anna, ben } = await both()
    await ben.drop()
    await anna.command('participant.update', { hand_raised: true })
    await ben.login()
    const cursor = { stream_id: `session:${ben.sessionId}`, stream_epoch: '1', seq: '0' }
    const result = ready(await ben.resume([cursor])) // of another epoch
    const [account, session] = ben.snapshots()
    expect(account?.stream_id).toBe('account:2')
    expect(session?.snapshot_seq).toBe(cursorOf(result, 'session:').seq)
    await anna.command('participant.update', { hand_raised: false })
    expect(ben.events().map(({ seq }) => seq)).toEqual([String(Number(session?.snapshot_seq) + 1)])
  })

  it('Y3 resumes with the next generation, and the role of the new login', async () => {
    const { harness, anna, ben } = await both()
    await anna.drop()
    expect(ben.events()).toMatchObject([
      { name: 'participant.changed', body: { participant: { presence: 'away' } } },
    ])
    await harness.pass(20_000)
    anna.joinToken = undefined
    await anna.login()
    expect(ready(await anna.resume()).binding.binding_generation).toBe('2')
    expect(ben.events()).toMatchObject([
      {
        body: { participant: { presence: 'here', role: 'participant', participant_id: anna.participantId } },
      },
    ])
  })

  it('Y3 and O1 keep the owner a moderator, with any link and with none', async () => {
    const harness = await createHarness()
    const anna = await harness.connect('anna', `participant@${TAG}`)
    harness.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: 1, entry: 'open' })
    expect((await anna.join()).data).toMatchObject({ role: 'moderator' })
    await anna.drop()
    await anna.login()
    ready(await anna.resume())
    expect(harness.registry.state(Number(anna.sessionId))?.state.participants).toMatchObject([
      { role: 'moderator', presence: 'here' },
    ])
    const ben = await harness.connect('ben')
    expect((await ben.join()).data).toMatchObject({ role: 'participant' })
  })

  it('Y3 closes the former socket if it is still open', async () => {
    const { anna, ben } = await both()
    const former = ben.socket
    await ben.login()
    ready(await ben.resume())
    expect(former.closedWith).toEqual({ code: 4409, reason: 'superseded' })
    expect(anna.eventNames()).toEqual([])
  })

  it('Y4 replays the events after the cursor, in order and once', async () => {
    const { harness, anna, ben } = await both()
    const before = ready(await ben.resync())
    ben.socket.received.length = 0
    await ben.drop()
    await anna.command('chat.send', { text: 'one' })
    await harness.pass(5_000)
    await anna.command('chat.send', { text: 'two' })
    await ben.login()
    const result = ready(await ben.resume(before.streams))
    expect(ben.snapshots()).toEqual([])
    const events = ben.events()
    expect(events.map(({ name }) => name)).toEqual([
      'participant.changed', // away
      'chat.message',
      'chat.message',
      'participant.changed', // back
    ])
    const from = Number(cursorOf(before, 'session:').seq)
    expect(events.map(({ seq }) => Number(seq))).toEqual([1, 2, 3, 4].map(n => from + n))
    expect(cursorOf(result, 'session:').seq).toBe(String(from + 4))
    expect(events.every(({ binding }) => binding.binding_generation === '2')).toBe(true)
  })

  it('Y4 sends a snapshot for cursors outside the window and for invalid ones', async () => {
    const { anna, ben } = await both()
    const before = ready(await ben.resync())
    await ben.drop()
    for (let i = 0; i < SESSION_WINDOW.events; i++)
      await anna.command('participant.update', { hand_raised: i % 2 === 0 })
    for (const cursors of [
      before.streams,
      before.streams.map(cursor => ({ ...cursor, seq: '18446744073709551615' })),
      before.streams.map(cursor => ({ ...cursor, stream_epoch: '18446744073709551615' })),
    ]) {
      await ben.drop()
      await ben.login()
      ben.snapshots()
      ready(await ben.resume(cursors))
      expect(ben.snapshots().some(({ stream_id }) => stream_id.startsWith('session:'))).toBe(true)
    }
  })

  it('Y5 accepts the previous token until the client has used the new one', async () => {
    const { ben } = await both()
    const { resumeToken, binding } = ben
    const former = { resumeToken, binding }
    await ben.drop()
    await ben.login()
    ready(await ben.resume())
    await ben.drop()
    await ben.login()
    Object.assign(ben, former) // the answer was lost
    expect(ready(await ben.resume()).binding.binding_generation).toBe('3')
    await ben.drop()
    await ben.login()
    Object.assign(ben, former)
    ready(await ben.resume())
    await ben.command('chat.history', {}) // shows that the answer has come
    const present = { resumeToken: ben.resumeToken, binding: ben.binding }
    await ben.drop()
    await ben.login()
    Object.assign(ben, former)
    expect((await ben.resume()).status).toBe('resume_rejected')
    Object.assign(ben, present)
    expect((await ben.resume()).status).toBe('ready')
  })

  it('Y6 rejects another account, another instance, another token and an ended connection', async () => {
    const { harness, anna, ben } = await both()
    await ben.drop()
    const thief = harness.client('carl')
    Object.assign(thief, { instanceId: ben.instanceId, binding: ben.binding, resumeToken: ben.resumeToken })
    await thief.login()
    expect(await thief.resume()).toMatchObject({
      status: 'resume_rejected',
      error: { code: 'resume_rejected' },
    })
    await ben.login()
    expect((await ben.resume([], 'x'.repeat(43))).status).toBe('resume_rejected')
    const { instanceId } = ben
    ben.instanceId = 'another'
    expect((await ben.resume()).status).toBe('resume_rejected')
    ben.instanceId = instanceId
    await ben.drop()
    await harness.pass(30_000)
    await ben.login()
    expect((await ben.resume()).status).toBe('resume_rejected')
    expect(anna.eventNames()).toContain('participant.left')
    expect((await ben.fresh()).status).toBe('ready') // on the same socket
  })

  it('Y7 resyncs with the same generation and token; a stream at its end needs no snapshot', async () => {
    const { anna, ben } = await both()
    const { resumeToken } = ben
    const result = ready(await ben.resync())
    expect(ben.snapshots().map(({ stream_id }) => stream_id)).toEqual(result.streams.map(s => s.stream_id))
    expect([ben.binding.binding_generation, ben.resumeToken]).toEqual(['1', resumeToken])
    await anna.command('chat.send', { text: 'x' })
    ready(await ben.resync(result.streams))
    expect(ben.snapshots().map(({ stream_id }) => stream_id)).toEqual([`session:${ben.sessionId}`])
    ben.binding = { ...ben.binding, binding_generation: '9' }
    expect(await ben.resync()).toMatchObject({ status: 'resume_rejected', error: { code: 'stale_binding' } })
  })

  it('Y8 defers syncs while the server drains, and of accounts with too many connections', async () => {
    const harness = await createHarness()
    for (let i = 0; i < 64; i++) {
      const device = harness.client('anna')
      device.instanceId = `device-${i}`
      await device.login()
      ready(await device.fresh())
      if (i === 0) await device.drop() // it may come back, and counts
    }
    const one = harness.client('anna')
    await one.login()
    expect(await one.fresh()).toMatchObject({
      status: 'retry_later',
      error: { code: 'resource_exhausted', retry_after_ms: expect.any(Number) },
    })
    const ben = harness.client('ben')
    await ben.login()
    harness.control.drain()
    expect(ben.socket.closedWith).toEqual({ code: 1001, reason: 'temporarily_unavailable' })
  })

  it('Y10 replays the end of a stream once to a client that was away', async () => {
    const { harness, anna, ben } = await both()
    const before = ready(await ben.resync())
    await ben.drop()
    await anna.command('participant.remove', { participant_id: ben.participantId })
    await anna.command('chat.send', { text: 'not for Ben' })
    await ben.login()
    const result = ready(await ben.resume(before.streams))
    expect(cursorOf(result, 'session:')).toBeDefined()
    expect(ben.eventNames()).toEqual(['participant.changed', 'participant.removed', 'participant.left'])
    expect(ready(await ben.resync()).streams).toHaveLength(1)

    // The same for a socket that is dead already, which nobody has noticed.
    const dora = await harness.enter('dora')
    const known = ready(await dora.resync())
    dora.socket.received.length = 0
    await anna.command('participant.remove', { participant_id: dora.participantId })
    dora.socket.received.length = 0 // never arrived
    await dora.login()
    ready(await dora.resume(known.streams))
    expect(dora.eventNames()).toEqual(['participant.removed', 'participant.left'])
    expect(dora.snapshots()).toEqual([])

    const carl = await harness.enter('carl')
    const seen = ready(await carl.resync())
    await carl.drop()
    await harness.conferences.end('aaaa-bbbbb-cccc', 'closed')
    await carl.login()
    ready(await carl.resume(seen.streams))
    expect(carl.events().at(-1)).toMatchObject({ name: 'session.ended', body: { reason: 'closed' } })
    expect(ready(await carl.resync()).streams).toHaveLength(1)
  })
})
