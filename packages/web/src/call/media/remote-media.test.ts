import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCallHarness, settle } from '../testing/call-harness.ts'
import { aPublication } from '../testing/session.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function joined() {
  const harness = createCallHarness()
  await harness.enter()
  const { control } = harness
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
  return { ...harness, offer, transports: harness.transports }
}

describe('RemoteMedia', () => {
  it('lists remote publications and adds their tracks when they are offered', async () => {
    const { call, control, offer } = await joined()
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
    const { call, control, offer, transports } = await joined()
    offer('pub1', 'c1')
    await settle()
    control.addPublication(aPublication({ publication_id: 'other' }))
    control.addPublication(aPublication({ source: 'screen' }))
    expect(call.remote.get().get('teacher')?.screen?.track).not.toBeNull()
    expect(transports.consumers).toBe(1)
  })

  it('answers a repeated offer with the same consumer', async () => {
    const { control, offer, transports } = await joined()
    offer('pub1', 'c1')
    offer('pub1', 'c1')
    await settle()
    expect(transports.consumed).toEqual(['pub1'])
    expect(control.media).toHaveLength(2)
  })

  it('replaces the consumer when the publication is offered again', async () => {
    const { offer, transports } = await joined()
    offer('pub1', 'c1')
    await settle()
    offer('pub1', 'c2')
    await settle()
    expect(transports.consumed).toEqual(['pub1', 'pub1'])
    expect(transports.consumers).toBe(1)
  })

  it('ignores offers for another endpoint and refuses what the browser cannot decode', async () => {
    const { control, offer, transports } = await joined()
    offer('pub1', 'c1', 'e7')
    transports.consume = () => Promise.reject(new Error('no codec'))
    offer('pub1', 'c1')
    await settle()
    expect(control.media.map(({ body }) => body)).toEqual([
      { error: { code: 'unsupported_feature', message: 'Error: no codec' } },
    ])
  })

  it('closes the consumers of publications that have ended', async () => {
    const { call, control, offer, transports } = await joined()
    for (const id of ['pub1', 'pub2', 'pub3']) {
      const source = ({ pub1: 'camera', pub2: 'microphone', pub3: 'screen' } as const)[id] ?? 'camera'
      control.addPublication(aPublication({ publication_id: id, source }))
      offer(id, `c-${id}`)
    }
    await settle()
    control.removePublication('pub1')
    await settle()
    expect(transports.consumers).toBe(2)
    control.updateSession({ publications: [] })
    await settle()
    expect(transports.consumers).toBe(0)
    expect(call.remote.get().size).toBe(0)
  })

  it('lists nothing of an earlier connection', async () => {
    const { call, control } = await joined()
    control.addPublication(aPublication())
    control.disconnect()
    expect([...call.remote.get().keys()]).toEqual(['teacher'])
    control.handlers['conference.join'] = () => Promise.withResolvers<object>().promise
    control.start()
    expect(call.remote.get().size).toBe(0)
  })
})

describe('DisplaySizes', () => {
  it('reports a size at once, changes of it when they have settled, and again for another consumer', async () => {
    const { call, control, offer } = await joined()
    const reported = () => control.bodies('media.set_layers')
    const show = (shown: { width: number; height: number } | null) =>
      call.displaySizes.show(new Map([['pub1', shown]]))
    show({ width: 0.4, height: 99_999 })
    expect(reported()).toEqual([])
    offer('pub1', 'c1')
    await settle()
    expect(reported()).toEqual([{ publication_id: 'pub1', shown: { width: 1, height: 16_384 } }])
    for (let width = 100; width <= 300; width++) show({ width, height: 200 })
    await vi.advanceTimersByTimeAsync(199)
    expect(reported()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    show({ width: 300.2, height: 200 })
    await vi.advanceTimersByTimeAsync(200)
    expect(reported().slice(1)).toEqual([{ publication_id: 'pub1', shown: { width: 300, height: 200 } }])
    show(null)
    expect(reported().slice(2)).toEqual([{ publication_id: 'pub1', shown: null }])
    offer('pub1', 'c2')
    await settle()
    expect(reported().slice(3)).toEqual([{ publication_id: 'pub1', shown: null }])
    show({ width: 300, height: 200 })
    expect(reported().slice(4)).toEqual([{ publication_id: 'pub1', shown: { width: 300, height: 200 } }])
  })

  it('gives an earlier report up that has no answer yet: it would take effect after the newer one', async () => {
    const { call, control, offer } = await joined()
    const answers: (() => void)[] = []
    control.handlers['media.set_layers'] = () => new Promise<void>(resolve => answers.push(resolve))
    const show = (shown: { width: number; height: number } | null) =>
      call.displaySizes.show(new Map([['pub1', shown]]))
    show(null)
    offer('pub1', 'c1')
    await settle()
    expect(control.aborted).toEqual([])
    show({ width: 300, height: 200 })
    await settle()
    expect(control.aborted).toEqual(['media.set_layers'])
    answers[1]?.()
    await settle()
    show(null)
    await settle()
    expect([control.aborted.length, control.bodies('media.set_layers').length]).toEqual([1, 3])
  })
})
