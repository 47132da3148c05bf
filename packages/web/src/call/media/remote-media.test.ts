import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCallHarness, deferred, settle } from '../testing/call-harness.ts'
import { aPublication } from '../testing/session.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function inside() {
  const world = createCallHarness()
  await world.enter()
  const { control } = world
  const offer = (publication_id: string, consumer_id: string, endpoint_id = 'e1') =>
    control.receiveMedia({
      media: {
        conference_session_id: '1',
        participant_instance_id: 'p1',
        publication_id,
        endpoint_id,
        negotiation_id: `n-${consumer_id}`,
        rtc_node_id: 'node',
        route_generation: '1',
        scope: 'video-subscribe',
      },
      name: 'webrtc_offer',
      body: {
        format: 'ortc',
        consumer_id,
        kind: 'video',
        source: 'camera',
        participant_id: 'teacher',
        rtp_parameters: {},
      },
    })
  return { ...world, offer, peer: world.peer }
}

describe('RemoteMedia', () => {
  it('lists remote publications and adds their tracks when they are offered', async () => {
    const { call, control, offer } = await inside()
    control.addPublication(aPublication())
    control.addPublication(aPublication({ publication_id: 'own', participant_id: 'p1' }))
    expect([...call.remote.get()]).toEqual([
      ['teacher', { camera: { publicationId: 'pub1', source: 'camera', track: null, paused: false } }],
    ])
    offer('pub1', 'c1')
    await settle()
    expect(call.remote.get().get('teacher')?.camera?.track).not.toBeNull()
    expect(control.media).toMatchObject([
      {
        media: { negotiation_id: 'n-c1', publication_id: 'pub1' },
        name: 'webrtc_answer',
        body: { format: 'ortc', dtls_parameters: { role: 'client' } },
      },
    ])
    control.addPublication(aPublication({ paused: true }))
    expect(call.remote.get().get('teacher')?.camera?.paused).toBe(true)
  })

  it('accepts an offer that arrives before its publication is listed', async () => {
    const { call, control, offer, peer } = await inside()
    offer('pub1', 'c1')
    await settle()
    control.addPublication(aPublication({ publication_id: 'other' }))
    control.addPublication(aPublication({ source: 'screen' }))
    expect(call.remote.get().get('teacher')?.screen?.track).not.toBeNull()
    expect(peer.receivers).toBe(1)
  })

  it('answers a repeated offer with the same consumer', async () => {
    const { control, offer, peer } = await inside()
    offer('pub1', 'c1')
    offer('pub1', 'c1')
    await settle()
    expect(peer.received).toEqual(['pub1'])
    expect(control.media).toHaveLength(2)
  })

  it('replaces the consumer when the publication is offered again', async () => {
    const { offer, peer } = await inside()
    offer('pub1', 'c1')
    await settle()
    offer('pub1', 'c2')
    await settle()
    expect(peer.received).toEqual(['pub1', 'pub1'])
    expect(peer.receivers).toBe(1)
  })

  it('ignores offers for another endpoint and refuses what the browser cannot decode', async () => {
    const { control, offer, peer } = await inside()
    offer('pub1', 'c1', 'e7')
    peer.consume = () => Promise.reject(new Error('no codec'))
    offer('pub1', 'c1')
    await settle()
    expect(control.media.map(({ body }) => body)).toEqual([
      { error: { code: 'unsupported_feature', message: 'Error: no codec' } },
    ])
  })

  it('closes the consumers of publications that have ended', async () => {
    const { call, control, offer, peer } = await inside()
    for (const id of ['pub1', 'pub2', 'pub3']) {
      const source = ({ pub1: 'camera', pub2: 'microphone', pub3: 'screen' } as const)[id] ?? 'camera'
      control.addPublication(aPublication({ publication_id: id, source }))
      offer(id, `c-${id}`)
    }
    await settle()
    control.removePublication('pub1')
    await settle()
    expect(peer.receivers).toBe(2)
    control.updateSession({ publications: [] })
    await settle()
    expect(peer.receivers).toBe(0)
    expect(call.remote.get().size).toBe(0)
  })

  it('lists nothing of an earlier connection', async () => {
    const { call, control } = await inside()
    control.addPublication(aPublication())
    control.disconnect()
    expect([...call.remote.get().keys()]).toEqual(['teacher'])
    control.handlers['conference.join'] = () => deferred<object>().promise
    control.start()
    expect(call.remote.get().size).toBe(0)
  })
})

describe('DisplaySizes', () => {
  it('reports settled sizes, once each, and again for another consumer', async () => {
    const { call, control, offer } = await inside()
    const told = () => control.bodies('media.set_layers')
    call.displaySizes.set('pub1', { width: 0.4, height: 99_999 })
    await vi.advanceTimersByTimeAsync(200)
    expect(told()).toEqual([])
    offer('pub1', 'c1')
    await vi.advanceTimersByTimeAsync(200)
    expect(told()).toEqual([{ publication_id: 'pub1', shown: { width: 1, height: 16_384 } }])
    for (let width = 100; width <= 300; width++) call.displaySizes.set('pub1', { width, height: 200 })
    await vi.advanceTimersByTimeAsync(200)
    call.displaySizes.set('pub1', { width: 300.2, height: 200 })
    await vi.advanceTimersByTimeAsync(200)
    expect(told().slice(1)).toEqual([{ publication_id: 'pub1', shown: { width: 300, height: 200 } }])
    call.displaySizes.set('pub1', null)
    await vi.advanceTimersByTimeAsync(200)
    expect(told().slice(2)).toEqual([{ publication_id: 'pub1', shown: null }])
    offer('pub1', 'c2')
    await vi.advanceTimersByTimeAsync(200)
    expect(told().slice(3)).toEqual([{ publication_id: 'pub1', shown: null }])
  })
})
