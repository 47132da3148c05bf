import { Refusal } from '@lectern/protocol'
import type { CommandData } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { type ControlHarness, createHarness, TAG } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'

const LINK = `moderator@${TAG}`
const conference = { kind: 'conference', id: TAG }

/** Anna moderates by her link, Ben takes part; nothing waits to be read. */
const both = async () => {
  const harness = await createHarness()
  const ben = await harness.enter('ben')
  const anna = await harness.enter('anna', 'moderator')
  for (const client of [anna, ben]) client.socket.received.length = 0
  return { harness, anna, ben }
}

const REVOKED = [
  ['a replaced link', LINK, 'link_rotated', 'permission_denied', 4403],
  ['a link of a closed room', LINK, 'room_closed', 'permission_denied', 4403],
  ['a deleted account', 'anna', 'account_deleted', 'account_deleted', 4410],
  ['a revoked sign-in', 'anna', 'session_ended', 'unauthenticated', 4401],
] as const

describe('W15 the next command after a revocation', () => {
  it.each(REVOKED)('is refused: %s', async (_, token, reason, code, closeCode) => {
    const { harness, anna, ben } = await both()
    harness.authenticator.refuse(token, new Refusal(reason))
    const result = await anna.command('conference.set_lock', { locked: true }, conference as never)
    expect(result).toMatchObject({ status: 'rejected', error: { code, extensions: { reason } } })
    expect(anna.socket.closedWith).toEqual({ code: closeCode, reason })
    expect(ben.events()).toMatchObject([{ name: 'participant.left', body: { reason: 'left' } }])
    expect(harness.registry.state(Number(ben.sessionId))?.state.locked).toBe(false)
  })

  it.each(REVOKED)('is refused in v1 as well: %s', async (_, token, reason, code, closeCode) => {
    const { harness, ben } = await both()
    const anna = harness.client('anna', LINK)
    await anna.login(null)
    await anna.send(JSON.stringify({ id: '1', command: 'conference.join', target: conference, params: {} }))
    ben.events()
    anna.socket.other.length = 0
    harness.authenticator.refuse(token, new Refusal(reason))
    await anna.send(JSON.stringify({ id: '2', command: 'conference.set_lock', params: { locked: true } }))
    expect(anna.takeOther()).toMatchObject({ id: '2', error: { code } })
    expect(anna.socket.closedWith).toEqual({ code: closeCode, reason })
    expect(ben.eventNames()).toEqual(['participant.left'])
  })

  it('ends the membership of whose link was replaced: by the plain link they wait like everybody', async () => {
    const { harness, ben } = await both()
    const room = harness.directory.known.get(TAG)
    if (room) harness.directory.known.set(TAG, { ...room, entry: 'lobby' })
    harness.authenticator.refuse(`participant@${TAG}`, new Refusal('link_rotated'))
    await ben.command('participant.update', { hand_raised: true })
    expect(ben.socket.closedWith).toMatchObject({ code: 4403 })
    const again = await harness.connect('ben')
    expect(await again.join()).toMatchObject({ error: { extensions: { reason: 'approval' } } })
  })

  it('is none of a connection that is being resumed: it leaves at once', async () => {
    const { harness, anna, ben } = await both()
    await anna.drop()
    await anna.login()
    const gate = Promise.withResolvers<void>()
    const others = harness.conferences.run(TAG, () => gate.promise)
    const resumed = expect(anna.resume()).rejects.toThrow('no answer')
    harness.authenticator.refuse(LINK, new Refusal('link_rotated'))
    harness.control.tick()
    await harness.settle()
    expect(anna.socket.closedWith).toEqual({ code: 4403, reason: 'link_rotated' })
    gate.resolve()
    await Promise.all([others, resumed])
    await harness.settle()
    expect(ben.events().at(-1)).toMatchObject({ name: 'participant.left', body: { reason: 'left' } })
  })

  it('is refused if it is a media negotiation', async () => {
    const { harness, anna, ben } = await both()
    harness.authenticator.refuse(LINK, new Refusal('link_rotated'))
    const media = {
      conference_session_id: anna.sessionId,
      participant_instance_id: anna.participantId,
      publication_id: 'p1',
      endpoint_id: 'e1',
      negotiation_id: 'n1',
      rtc_node_id: 'r1',
      route_generation: '1',
      scope: 'audio',
    }
    const offer = { binding: anna.binding, media, name: 'webrtc_offer', body: { format: 'ortc' } }
    await anna.send(JSON.stringify({ control_media: offer }))
    expect(anna.take('control_media')).toMatchObject([
      { name: 'webrtc_answer', body: { error: { code: 'permission_denied' } } },
    ])
    expect(anna.socket.closedWith).toEqual({ code: 4403, reason: 'link_rotated' })
    expect(ben.eventNames()).toEqual(['participant.left'])
  })

  it('is refused with all others in flight, of which none is executed', async () => {
    const { harness, anna, ben } = await both()
    harness.authenticator.refuse(LINK, new Refusal('link_rotated'))
    const [first] = await Promise.all(['one', 'two'].map(text => anna.command('chat.send', { text })))
    expect(first).toMatchObject({ status: 'rejected' })
    expect(ben.eventNames()).toEqual(['participant.left'])
  })

  it('cannot resume, because the connection has ended', async () => {
    const { harness, anna } = await both()
    harness.authenticator.refuse('anna', new Refusal('session_ended'))
    await anna.command('chat.history', {})
    await anna.drop()
    harness.authenticator.refused.clear()
    await anna.login()
    expect((await anna.resume()).status).toBe('resume_rejected')
  })

  it('is refused as temporary when the login cannot be checked, and the check is repeated', async () => {
    const { harness, anna } = await both()
    harness.authenticator.refuse('anna', new Refusal('internal', 'disk I/O error'))
    expect(await anna.command('chat.send', { text: 'x' })).toMatchObject({
      status: 'rejected',
      error: { code: 'temporarily_unavailable' },
    })
    expect(anna.socket.closedWith).toBeNull()
    harness.authenticator.refused.clear()
    expect(await anna.command('chat.send', { text: 'x' })).toMatchObject({ status: 'committed' })
  })

  it('K7 counts the duration of the login check as a part of the ttl_ms of a command', async () => {
    const { harness, ben } = await both()
    const { renew } = harness.authenticator
    const { promise: checked, resolve: finish } = Promise.withResolvers<void>()
    harness.authenticator.renew = async each => {
      await checked
      return renew.call(harness.authenticator, each)
    }
    harness.authenticator.version += 1
    const ids = ['anna', 'ben'].map(name => harness.authenticator.user(name).id).sort()
    const withAnna = { kind: 'chat', id: `direct:${ids.join('-')}` } as const
    const commands = [
      ['chat.send', { text: 'x' }, undefined],
      ['message.send', { text: 'x' }, withAnna],
      ['media.open', {}, undefined],
    ] as const
    for (const [name, body, target] of commands)
      await ben.command(name, body, target, { ttl_ms: 3_000, command_id: name })
    await ben.command('chat.send', { text: 'y' }, undefined, { ttl_ms: 5_000, command_id: 'in-time' })
    await harness.pass(4_000)
    finish()
    await harness.settle()
    const results = ben
      .take('control_result')
      .map(result => [result.command_id, 'error' in result ? result.error?.code : result.status])
    expect(Object.fromEntries(results)).toEqual({
      'chat.send': 'deadline_exceeded',
      'message.send': 'deadline_exceeded',
      'media.open': 'deadline_exceeded',
      'in-time': 'committed',
    })
  })

  it('of other accounts is executed in order, without further checks while nothing changes', async () => {
    const { harness, anna, ben } = await both()
    harness.authenticator.version += 1
    const texts = ['one', 'two', 'three']
    for (const text of texts) void ben.command('chat.send', { text })
    await harness.settle()
    const said = anna.events().map(({ body }) => (body as { message: { text: string } }).message.text)
    expect(said).toEqual(texts)
    expect(harness.authenticator.renewals).toBe(1)
    await ben.command('chat.history', {})
    expect(harness.authenticator.renewals).toBe(1)
  })
})

describe('W15 a revocation', () => {
  it('ends the connection of a silent client within about a second', async () => {
    const { harness, anna, ben } = await both()
    harness.authenticator.refuse(LINK, new Refusal('link_rotated'))
    await harness.pass(1_000)
    expect(anna.socket.closedWith).toEqual({ code: 4403, reason: 'link_rotated' })
    expect(ben.eventNames()).toEqual(['participant.left'])
  })

  it('does not affect other accounts', async () => {
    const { harness, ben } = await both()
    harness.authenticator.refuse(LINK, new Refusal('link_rotated'))
    await harness.pass(3_000)
    expect(ben.socket.closedWith).toBeNull()
    expect(await ben.command('chat.send', { text: 'x' })).toMatchObject({ status: 'committed' })
  })
})

describe('W15 a worker without its capability', () => {
  const worker_id = 'rec-1'
  const about = (client: RawClient, name: string, id: string, body = {}) =>
    client.command(name, { worker_id, ...body }, { kind: 'operation', id })

  async function attached(harness: ControlHarness) {
    Object.assign(harness.authenticator.user('recorder'), { kind: 'worker', capabilities: ['jobs.recorder'] })
    const worker = await harness.connect('recorder')
    await harness.enter('anna', 'moderator')
    const leased = await about(worker, 'job.lease', 'recording', { holding: [] })
    const { job } = leased.data as CommandData<'job.lease'>
    const id = String(job?.job_id)
    expect(await about(worker, 'job.attach', id)).toMatchObject({ status: 'applied' })
    worker.socket.received.length = 0
    return { worker, id }
  }

  it('leases no job and cannot act on the job that it holds', async () => {
    const harness = await createHarness()
    const { worker, id } = await attached(harness)
    harness.authenticator.changeUser('recorder', { capabilities: ['jobs.transcriber'] })
    for (const [name, target, body] of [
      ['job.lease', 'recording', { holding: [] }],
      ['job.attach', id, {}],
      ['job.renew', id, {}],
      ['job.progress', id, { active: true }],
      ['job.finish', id, { outcome: 'done', result: { blobs: [] } }],
    ] as const)
      expect(await about(worker, name, target, body)).toMatchObject({
        status: 'rejected',
        error: { code: 'permission_denied' },
      })
    expect(worker.socket.closedWith).toBeNull()
  })

  it('stops observing, also while it is silent', async () => {
    const harness = await createHarness()
    const { worker } = await attached(harness)
    harness.authenticator.changeUser('recorder', { capabilities: [] })
    await harness.pass(1_000)
    await (await harness.enter('ben')).command('chat.send', { text: 'not for the recorder' })
    expect(worker.eventNames()).not.toContain('chat.message')
  })
})
