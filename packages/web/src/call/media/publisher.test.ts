import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCallHarness, settle } from '../testing/call-harness.ts'
import { refuse } from '../testing/fake-control.ts'
import { aPublication } from '../testing/session.ts'
import { aTrack } from '../testing/transports.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A microphone is paused when its silence has been heard. */
const silence = () => vi.advanceTimersByTimeAsync(120)

async function joined() {
  const harness = createCallHarness()
  await harness.enter()
  harness.control.commands.length = 0
  return harness
}

describe('Publisher', () => {
  it('publishes as soon as there is an endpoint', async () => {
    const { call, control, enter, microphone } = createCallHarness()
    microphone.turnOn()
    expect(call.local.publishers.microphone.get()).toBe('pending')
    await enter()
    expect(control.offers).toMatchObject([
      {
        media: {
          conference_session_id: '1',
          participant_instance_id: 'p1',
          endpoint_id: 'e1',
          rtc_node_id: 'node',
          route_generation: '1',
          scope: 'audio',
        },
        body: {
          format: 'ortc',
          source: 'microphone',
          paused: false,
          rtp_parameters: {},
          dtls_parameters: { role: 'client' },
        },
      },
    ])
    expect(call.local.publishers.microphone.get()).toBe('sending')
  })

  it('publishes again on another endpoint, with the same id and the same paused state', async () => {
    const { camera, control, microphone } = await joined()
    microphone.turnOn()
    camera.turnOn()
    await settle()
    microphone.turnOff()
    await silence()
    control.moveRoutes('2')
    await settle()
    const [first, second, ...again] = control.offers
    expect(again).toMatchObject([
      {
        media: { publication_id: first?.media.publication_id, endpoint_id: 'e2', route_generation: '2' },
        body: { source: 'microphone', paused: true },
      },
      {
        media: { publication_id: second?.media.publication_id, endpoint_id: 'e2', route_generation: '2' },
        body: { source: 'camera', paused: false },
      },
    ])
    expect(again[0]?.media.negotiation_id).not.toBe(first?.media.negotiation_id)
  })

  it('publishes with another id as another participant', async () => {
    const { control, microphone } = await joined()
    microphone.turnOn()
    await settle()
    control.disconnect()
    control.start()
    await settle()
    const [first, second] = control.offers
    expect(second?.media).toMatchObject({ participant_instance_id: 'p2', endpoint_id: 'e2' })
    expect(second?.media.publication_id).not.toBe(first?.media.publication_id)
  })

  it('moves a publication that waits for its answer to the next endpoint', async () => {
    const { call, camera, control, transports } = await joined()
    control.acceptsOffers = false
    camera.turnOn()
    await settle()
    expect(call.local.publishers.camera.get()).toBe('pending')
    control.acceptsOffers = true
    transports.onState('failed')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(control.offers.map(({ media }) => media.endpoint_id)).toEqual(['e1', 'e2'])
    expect(call.local.publishers.camera.get()).toBe('sending')
  })

  it('publishes at once on the next endpoint, however often it failed on the last one', async () => {
    const { call, camera, control } = await joined()
    control.acceptsOffers = false
    camera.turnOn()
    for (let failures = 1; failures <= 4; failures++) {
      await settle()
      const offer = control.offers.at(-1)
      if (!offer) throw new Error('an offer was expected')
      control.answer(offer, { error: { code: 'temporarily_unavailable' } })
      await vi.advanceTimersByTimeAsync(10_000)
    }
    control.acceptsOffers = true
    control.disconnect()
    control.start()
    await settle()
    expect(call.local.publishers.camera.get()).toBe('sending')
  })

  it('offers nothing of the last connection to a new one', async () => {
    const { camera, control } = await joined()
    control.acceptsOffers = false
    camera.turnOn()
    await settle()
    control.disconnect()
    control.start()
    await settle()
    expect(control.offers.map(({ media }) => media.endpoint_id)).toEqual(['e1', 'e2'])
  })

  it('opens another endpoint when the server reports that the current one no longer exists', async () => {
    const { camera, control, allTransports } = await joined()
    control.acceptsOffers = false
    camera.turnOn()
    await settle()
    const [offer] = control.offers
    if (!offer) throw new Error('an offer was expected')
    control.acceptsOffers = true
    control.answer(offer, { error: { code: 'temporarily_unavailable', extensions: { reason: 'gone' } } })
    await vi.advanceTimersByTimeAsync(500)
    expect(allTransports.map(({ closed }) => closed)).toEqual([true, false])
    expect(control.offers.at(-1)?.media).toMatchObject({ endpoint_id: 'e2' })
  })

  it('sends silence before the pause, which no receiver bridges with the last sound', async () => {
    const { control, microphone } = await joined()
    microphone.turnOn()
    await settle()
    microphone.turnOff()
    await settle()
    expect(control.commands).toEqual([])
    await silence()
    expect(control.commands.map(({ name }) => name)).toEqual(['media.pause'])
  })

  it('sends only the latest desired state', async () => {
    const { control, microphone } = await joined()
    const track = microphone.turnOn()
    await settle()
    const first = Promise.withResolvers<object>()
    control.handlers['media.pause'] = () => first.promise
    for (let i = 0; i < 3; i++) {
      microphone.turnOff()
      microphone.turnOn({ ...aTrack(), track })
    }
    microphone.turnOff()
    first.resolve({})
    await silence()
    expect(control.commands.map(({ name }) => name)).toEqual(['media.pause'])
  })

  it('retries what the server refused, and reports `problem` until it succeeds', async () => {
    const { call, control, microphone } = await joined()
    microphone.turnOn()
    await settle()
    control.handlers['media.pause'] = () => refuse('temporarily_unavailable')
    microphone.turnOff()
    await silence()
    expect(call.local.publishers.microphone.get()).toBe('problem')
    control.handlers['media.pause'] = () => ({})
    await vi.advanceTimersByTimeAsync(1_000)
    await silence()
    expect(control.bodies('media.pause')).toHaveLength(2)
    expect(call.local.publishers.microphone.get()).toBe('sending')
  })

  it('ends a publication that is not desired any more, and starts the next one with another id', async () => {
    const { camera, control, transports } = await joined()
    camera.turnOn()
    await settle()
    camera.turnOff()
    await settle()
    expect(transports.producers).toBe(0)
    expect(control.bodies('media.close')).toEqual([
      { publication_id: control.offers[0]?.media.publication_id },
    ])
    camera.turnOn()
    await settle()
    expect(control.offers[1]?.media.publication_id).not.toBe(control.offers[0]?.media.publication_id)
  })

  it('replaces the track without another negotiation and without a pause', async () => {
    const { control, microphone, transports } = await joined()
    microphone.turnOn()
    await settle()
    microphone.startOpening()
    const other = microphone.turnOn()
    await settle()
    expect(transports.replaced).toEqual([other])
    expect(control.commands).toEqual([])
  })

  it('publishes a camera again with the same id when its size needs other encodings', async () => {
    const { call, camera, control, transports } = await joined()
    const { fake, track } = aTrack()
    camera.turnOn({ fake, track })
    await settle()
    fake.width = 640
    await vi.advanceTimersByTimeAsync(1_000)
    await settle()
    const [first, second, ...more] = control.offers
    expect(second?.media.publication_id).toBe(first?.media.publication_id)
    expect(second?.body).toMatchObject({ source: 'camera', paused: false })
    expect(transports.producers).toBe(1)
    expect(call.local.publishers.camera.get()).toBe('sending')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(more).toEqual([])
    expect(control.offers).toHaveLength(2)
    expect(control.commands).toEqual([])
  })

  it('publishes again when another camera needs other encodings, and replaces the track otherwise', async () => {
    const { camera, control, transports } = await joined()
    camera.turnOn()
    await settle()
    camera.startOpening()
    const alike = camera.turnOn()
    await settle()
    expect(transports.replaced).toEqual([alike])
    const small = aTrack()
    small.fake.width = 320
    camera.startOpening()
    camera.turnOn(small)
    await settle()
    expect(transports.replaced).toEqual([alike])
    expect(control.offers).toHaveLength(2)
  })

  it('does not publish a track that has ended', async () => {
    const { control, microphone } = await joined()
    const { fake, track } = aTrack()
    fake.stop()
    microphone.turnOn({ fake, track })
    await settle()
    expect(control.offers).toHaveLength(0)
    microphone.turnOn()
    await settle()
    expect(control.offers).toHaveLength(1)
  })

  it('stays muted when a moderator muted it while disconnected', async () => {
    const { call, microphone, list, move } = await publishing()
    const moving = move()
    list({ paused: true })
    await moving
    expect(microphone.get().is).toBe('off')
    expect([...call.local.get()]).toEqual([['audio', null]])
  })

  it('stays muted when a snapshot reports the mute instead of an event', async () => {
    const { call, microphone, list } = await publishing()
    list({ paused: true })
    expect(microphone.get().is).toBe('off')
    expect([...call.local.get()]).toEqual([['audio', null]])
  })

  it('resumes what the user turned on while disconnected', async () => {
    const { control, microphone, list, move } = await publishing()
    microphone.turnOff()
    await silence()
    list({ paused: true })
    const moving = move()
    microphone.turnOn()
    await moving
    expect(microphone.get().is).toBe('on')
    expect(control.bodies('media.resume')).toHaveLength(1)
  })
})

/** With a microphone that is on; `list` sets the publication in the session, `move` moves the routes. */
async function publishing() {
  const harness = await joined()
  const { control, microphone } = harness
  microphone.turnOn()
  await settle()
  const publication_id = control.offers[0]?.media.publication_id ?? ''
  const list = ({ paused }: { paused: boolean }) =>
    control.addPublication(
      aPublication({ publication_id, participant_id: 'p1', source: 'microphone', paused }),
    )
  const move = () => {
    control.moveRoutes('2')
    return settle()
  }
  return { ...harness, list, move }
}
