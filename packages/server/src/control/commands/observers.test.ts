import { type CommandData, encodeFrame, type JsonObject } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { LEASE_MS } from '../../records/jobs/limits.ts'
import { type ControlHarness, createHarness, TAG } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'

const worker_id = 'rec-1'
const TAP = { kinds: ['audio', 'video'], ip: '127.0.0.1', port: 5004 }

/** A connection of a recorder's account; each instance is a connection of its own. */
async function recorder(harness: ControlHarness, instanceId: string): Promise<RawClient> {
  Object.assign(harness.authenticator.user('recorder'), { kind: 'worker', capabilities: ['jobs.recorder'] })
  const client = harness.client('recorder')
  client.instanceId = instanceId
  await client.login()
  await client.fresh()
  return client
}

const about = (client: RawClient, name: string, id: string, body: JsonObject = {}) =>
  client.command(name, { worker_id, ...body }, { kind: 'operation', id })

async function lease(client: RawClient, worker = worker_id, holding: string[] = []): Promise<string> {
  const target = { kind: 'operation', id: 'recording' } as const
  const { data } = await client.command('job.lease', { worker_id: worker, holding }, target)
  return (data as { job: { job_id: string } }).job.job_id
}

async function attach(client: RawClient, jobId: string) {
  const result = await about(client, 'job.attach', jobId)
  const data = result.data as { conference_session_id: string; participant_id: string } | undefined
  client.sessionId = data?.conference_session_id ?? client.sessionId
  client.participantId = data?.participant_id ?? client.participantId
  return result
}

/** A partner's session with Anna in it, a recorder that holds its job, and a line that observes. */
async function observed() {
  const harness = await createHarness()
  const main = await recorder(harness, 'main')
  const anna = await harness.enter('anna', 'moderator')
  const jobId = await lease(main)
  const line = await recorder(harness, 'line')
  line.snapshots()
  anna.events()
  const attached = await attach(line, jobId)
  harness.media.calls.length = 0
  const place = { sessionId: Number(anna.sessionId), participantId: jobId }
  return { harness, main, anna, line, jobId, attached, place }
}

const reason = (why: string) => ({ status: 'rejected', error: { extensions: { reason: why } } })

describe('the observer for a job', () => {
  it('J14 receives the events of the session and is invisible', async () => {
    const { harness, anna, line, jobId, attached } = await observed()
    expect(attached).toMatchObject({
      status: 'applied',
      data: {
        conference_session_id: anna.sessionId,
        participant_id: jobId,
        stream: { stream_id: `session:${anna.sessionId}` },
      },
    })
    expect(line.snapshots()).toMatchObject([{ state: { participants: [{ display_name: 'anna' }] } }])
    expect(anna.events()).toEqual([])
    await anna.command('chat.send', { text: 'x' })
    expect(line.eventNames()).toEqual(['chat.message'])
    expect(harness.registry.state(Number(anna.sessionId))?.state.participants).toHaveLength(1)
    await attach(line, jobId) // repeats nothing
    expect(line.snapshots()).toEqual([])
  })

  it('J14 is not a participant', async () => {
    const { harness, line, anna, jobId, attached } = await observed()
    const ref = {
      conference_session_id: line.sessionId,
      participant_instance_id: jobId,
      publication_id: 'p',
      endpoint_id: 'e',
      negotiation_id: 'n',
      rtc_node_id: 'r',
      route_generation: '1',
      scope: 'audio',
    } as const
    for (const [name, body] of [
      ['chat.send', { text: 'x' }],
      ['participant.mute', { participant_id: anna.participantId, source: 'audio' }],
      ['recording.stop', {}],
      ['media.open', {}],
      ['media.pause', { publication_id: 'p' }],
      ['media.close', {}],
    ] as const)
      expect(await line.command(name, body)).toMatchObject(reason('not_inside'))
    const offer = { format: 'ortc', source: 'microphone', paused: false, rtp_parameters: {} }
    const media = { binding: line.binding, media: ref, name: 'webrtc_offer', body: offer } as const
    await line.send(encodeFrame({ control_media: media }))
    expect(line.take('control_media')).toMatchObject([{ body: { error: { code: 'permission_denied' } } }])
    const { stream_id, stream_epoch } = (attached.data as CommandData<'job.attach'>).stream
    const signal = {
      stream_id,
      stream_epoch,
      source_id: jobId,
      signal_seq: '1',
      ttl_ms: 1000,
      name: 'chat.typing',
      body: {},
    }
    await line.send(encodeFrame({ control_signal: { binding: line.binding, ...signal } }))
    expect(anna.take('control_signal')).toEqual([])
    expect(harness.media.calls).toEqual([])
  })

  it('J14 does not keep a session open', async () => {
    const { harness, anna, line, main } = await observed()
    await anna.drop(1000)
    await harness.pass(32_000)
    expect(line.eventNames()).toContain('session.ended')
    expect(main.eventNames()).toContain('job.stopping')
  })

  it('J15 cannot observe a session that has ended, or that of another job', async () => {
    const { harness, main, jobId, anna, line } = await observed()
    await harness.conferences.end(TAG, 'closed')
    expect(await line.command('media.tap', TAP)).toMatchObject(reason('not_inside'))
    expect(await attach(line, jobId)).toMatchObject(reason('session_over'))
    await anna.join()
    expect(await attach(line, jobId)).toMatchObject(reason('session_over'))
    const next = await lease(main, worker_id, [jobId])
    expect(await attach(line, next)).toMatchObject({ status: 'applied' })
    expect(await line.join()).toMatchObject(reason('other_place'))
  })

  it('J15 cannot be a participant at the same time', async () => {
    const { line, main, jobId } = await observed()
    await main.join()
    expect(await attach(main, jobId)).toMatchObject(reason('other_place'))
    expect(await line.join()).toMatchObject(reason('other_place'))
  })

  it('J16 observes only for a job that it holds', async () => {
    const { harness, jobId, line } = await observed()
    const mallory = await harness.connect('mallory')
    for (const refused of [
      await attach(mallory, jobId),
      await attach(line, 'job_none'),
      await about(line, 'job.attach', jobId, { worker_id: 'rec-2' }),
    ])
      expect(refused).toMatchObject(reason('not_held'))
    mallory.sessionId = line.sessionId
    expect(await mallory.command('media.tap', TAP)).toMatchObject(reason('not_inside'))
  })

  it('J16 is replaced by another connection of the same worker', async () => {
    const { harness, anna, jobId, line, place } = await observed()
    const other = await recorder(harness, 'other')
    expect(await attach(other, jobId)).toMatchObject({ status: 'applied' })
    expect(await line.command('media.tap', TAP)).toMatchObject(reason('not_inside'))
    await line.drop(1000) // does not take the place of the other with it
    await anna.command('chat.send', { text: 'x' })
    expect(other.eventNames()).toEqual(['chat.message'])
    expect(await other.command('media.tap', TAP)).toMatchObject({ status: 'applied' })
    expect(harness.media.calls).toEqual([['openEgress', place, TAP]])
  })

  it.each(['leased by another worker', 'finished'])('J16 observes no more when the job is %s', async how => {
    const { harness, main, anna, jobId, line, place } = await observed()
    if (how === 'finished') await about(main, 'job.finish', jobId, { outcome: 'failed', result: {} })
    else {
      await harness.pass(LEASE_MS)
      expect(await lease(main, 'rec-2')).toBe(jobId)
    }
    expect(harness.media.calls.at(-1)).toEqual(['closeEgress', place])
    line.events()
    await anna.command('chat.send', { text: 'x' })
    expect(line.events()).toEqual([])
    expect(await line.command('media.tap', TAP)).toMatchObject(reason('not_inside'))
  })

  it('J17 and J20 can tap media and request keyframes, unlike participants', async () => {
    const { harness, anna, line, place } = await observed()
    const tapped = { endpoint_id: 't', rtc_node_id: 'n', route_generation: '1' }
    expect(await line.command('media.tap', TAP)).toMatchObject({ status: 'applied', data: tapped })
    await line.command('media.set_layers', { publication_id: 'p', shown: { width: 1920, height: 1080 } })
    await line.command('media.request_key_frame', { publication_id: 'p' })
    expect(harness.media.calls).toEqual([
      ['openEgress', place, TAP],
      ['setLayers', place, 'p', { width: 1920, height: 1080 }],
      ['requestKeyFrame', place, 'p'],
    ])
    expect(await anna.command('media.tap', TAP)).toMatchObject(reason('not_observing'))
    const response = await anna.command('media.request_key_frame', { publication_id: 'p' })
    expect(response).toMatchObject(reason('not_observing'))
    for (const wrong of [
      { ...TAP, port: 0 },
      { ...TAP, kinds: [] },
      { ...TAP, srtp: { key_base64: 'x' } },
    ])
      expect(await line.command('media.tap', wrong as JsonObject)).toMatchObject({
        error: { code: 'invalid_argument' },
      })
  })

  it('J18 keeps its tap while the connection can be resumed', async () => {
    const { harness, anna, line, place } = await observed()
    await line.command('media.tap', TAP)
    await line.drop()
    await harness.pass(20_000)
    await line.login()
    await line.resume()
    await anna.command('chat.send', { text: 'x' })
    expect(line.eventNames()).toContain('chat.message')
    expect(harness.media.calls).toEqual([['openEgress', place, TAP]])
    await line.drop()
    await harness.pass(30_000)
    expect(harness.media.calls.at(-1)).toEqual(['closeEgress', place])
  })

  it('J18 loses its tap at once when it closes the connection', async () => {
    const { harness, line, place } = await observed()
    await line.drop(1000)
    expect(harness.media.calls).toEqual([['closeEgress', place]])
  })
})
